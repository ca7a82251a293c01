// Writes the pages of the documentation that are made from the product (npm run docs).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { readSource, root } from '../sources.ts'
import { referencePages } from './reference.ts'
import { servedPages } from './served.ts'

const { papers } = (await import(new URL('../../../docs/.vitepress/papers.mjs', import.meta.url).href)) as {
  papers: readonly string[]
}

function write(folder: string, pages: Record<string, string>): void {
  rmSync(root + folder, { recursive: true, force: true })
  mkdirSync(root + folder, { recursive: true })
  for (const [file, text] of Object.entries(pages)) writeFileSync(`${root}${folder}/${file}`, text)
}

const folder = 'docs/develop/generated'
const relinked = (text: string) =>
  text.replace(/\]\((?!https?:|#)([^)#]+)/g, (_, path: string) => `](${posix.relative(folder, path)}`)

write('docs/reference/generated', { ...(await referencePages()), ...(await servedPages()) })
write(
  folder,
  Object.fromEntries(papers.map((name) => [`${name.toLowerCase()}.md`, relinked(readSource(`${name}.md`))])),
)
process.exit(0)
