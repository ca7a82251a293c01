import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The project's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const left = new Set(['node_modules', 'dist', '.git', 'data', 'pictures'])

/** Hand-written code, by path from the project's folder: no builds, no data, nothing generated. */
export function sourceFiles(): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return left.has(entry.name) ? [] : walk(path)
      return /\.(ts|tsx|mjs|js)$/.test(entry.name) && !/\.gen\.ts$/.test(entry.name) ? [path] : []
    })
  return ['packages', 'apps', 'tests', 'scripts'].flatMap(walk)
}

/** The written pages of the documentation, without those that comments cite: they quote the product as it was. */
export function docPages(): string[] {
  return readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.md') && !/^(develop\/sources|pictures)\/|(^|\/)(node_modules|generated)\//.test(file),
    )
    .map((file) => `docs/${file}`)
    .sort()
}

/** The text of a file by its path from the project's folder. */
export function readSource(path: string): string {
  return readFileSync(root + path, 'utf8')
}

/** True for tests and what only tests use: they may look across layers. */
export function isTest(path: string): boolean {
  return path.startsWith('tests/') || /\.test\.tsx?$|\/testing(\/|\.ts$)/.test(path)
}

/** A text without comments; strings that hold `//` are left alone where a quote or colon stands before it. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

/** What a file imports or exports on, as written, static and dynamic. */
export function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|\n)\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g
  return [...withoutComments(text).matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!)
}
