import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { parseRules, ruleMetrics } from '@qd/core/fields'
import { placeholders } from '@qd/core/schemas'
import { parseConfig } from '@qd/server/config'
import { describe, expect, test } from 'vitest'
import { commandIn } from '../../apps/server/src/upkeep/commands.ts'
import { docPages, readSource, root, sourceFiles } from '../support/sources.ts'

/** Words in backquotes in the first column of a page's tables. */
function tableWords(page: string, pattern: RegExp): string[] {
  return readSource(page)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!))
    .filter((word) => pattern.test(word))
}

describe('docs/watch/alert-rules.md', () => {
  test('names every metric once', () => {
    const isMetric = (word: string) => Object.hasOwn(ruleMetrics, word)
    const named = tableWords('docs/watch/alert-rules.md', /^[a-z0-9_]+$/)
    const first = named.slice(0, Object.keys(ruleMetrics).length)
    expect(first.filter(isMetric).sort()).toEqual(Object.keys(ruleMetrics).sort())
  })
  test('every condition it shows can be read', () => {
    const [, block = ''] = /```conditions\n([\s\S]*?)```/.exec(readSource('docs/watch/alert-rules.md')) ?? []
    const parsed = parseRules(block, (name) => name.length)
    expect(parsed).toMatchObject({ ok: true })
    expect(parsed.ok && parsed.rules).toHaveLength(6)
  })
})

test('docs/watch/notifiers.md names every placeholder once', () => {
  expect(tableWords('docs/watch/notifiers.md', /^#/).sort()).toEqual([...placeholders].sort())
})

/** Measurements; and pages that show words as they should not be, and those of other languages. */
const notes = /\/(?:benchmarks|benchmarks-log|voice|glossary)\.md$/

/** The pages that a reader opens. */
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/pictures/README.md',
  'SECURITY.md',
  ...docPages().filter((page) => !notes.test(page)),
]

/** The lines of a page that are sentences: no code, no addresses of links. */
const proseOf = (page: string) =>
  readSource(page)
    .replace(/^ *```[\s\S]*?^ *```/gm, '')
    .replace(/`[^`]*`/g, '`')
    .replace(/\]\([^)]*\)/g, ']')

/** The names that GitHub gives to the headings of a page. */
const anchorsOf = (page: string) =>
  [...readSource(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('docs/pictures has the pictures that pages show, and no others', () => {
  const shown = pages.flatMap((page) =>
    [...readSource(page).matchAll(/pictures\/([\w-]+\.webp)/g)].map(([, file]) => file!),
  )
  const stored = readdirSync(`${root}docs/pictures`).filter((file) => file !== 'README.md')
  expect(stored.sort()).toEqual([...new Set(shown)].sort())
})

describe.each(pages)('%s', (page) => {
  test('links lead somewhere', () => {
    const links = [...readSource(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    const broken = links.filter(([, path, anchor]) => {
      const file = posix.join(posix.dirname(page), path === '' ? posix.basename(page) : path!)
      return !existsSync(root + file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })

  test('keeps to the words and signs of docs/develop/voice.md', () => {
    const words =
      /\b(?:somebody|nobody|whoever|everybody|public page|second factor|back-tests?|selection language|web address(?:es)?|user names?|host names?)\b/gi
    const british = /\b\w*(?:colour|behaviour|honour|favourite|recognis|organis|cancelled|catalogue)\w*\b/gi
    const signs = /\w*['"]\w*/g
    const found = [words, british, signs].flatMap((pattern) => proseOf(page).match(pattern) ?? [])
    expect(found).toEqual([])
  })
})

test('every source file that the pages name is there', () => {
  const files = [...sourceFiles(), 'vitest.config.ts']
  const known = files.flatMap((file) => [file, file.replace('/src/', '/')])
  const named = [...pages, ...docPages()]
    // The voice shows names as they should and should not be.
    .filter((page) => !page.endsWith('/voice.md'))
    .flatMap((page) => [...readSource(page).matchAll(/`([\w/.-]+\.tsx?)`/g)].map(([, path]) => ({ page, path: path! })))
  const isNamed = ({ path }: { path: string }) => /(?:^|\/)(?:00nn-|x\.)/.test(path)
  const missing = named.filter((one) => !isNamed(one) && !known.some((file) => `/${file}`.endsWith(`/${one.path}`)))
  expect(missing.map(({ page, path }) => `${page}: ${path}`)).toEqual([])
})

describe('the documentation by reader', () => {
  const folders = ['start', 'use', 'watch', 'operate', 'automate', 'reference', 'develop']
  const isOfReaders = (page: string) => !page.startsWith('docs/develop/')

  test('the first page lists the folders in their order, and only they hold pages', () => {
    const listed = [...readSource('docs/index.md').matchAll(/^- \[[^\]]+\]\((\w+)\/index\.md\)/gm)].map(
      ([, name]) => name,
    )
    expect(listed).toEqual(folders)
    expect(docPages().filter((page) => !folders.includes(page.split('/')[1]!))).toEqual(['docs/index.md'])
  })

  test.each(folders)('docs/%s/index.md lists each of its pages once', (folder) => {
    const index = `docs/${folder}/index.md`
    const listed = [...readSource(index).matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(
      ([, file]) => `docs/${folder}/${file}`,
    )
    const pages = docPages().filter((page) => posix.dirname(page) === `docs/${folder}` && page !== index)
    expect(listed.sort()).toEqual(pages)
  })

  test.each(docPages().filter(isOfReaders))('%s shows a command or a picture on its first screen', (page) => {
    expect(readSource(page).split('\n').slice(0, 16).join('\n')).toMatch(/^```|^\[?!\[/m)
  })
})

test('every npm script and project script that the pages name is there', () => {
  const { scripts } = JSON.parse(readSource('package.json')) as { scripts: Record<string, string> }
  const known = [...Object.keys(scripts), 'ci', 'i', 'install', 'audit']
  const missing = [...new Set([...pages, ...docPages()])].flatMap((page) => {
    const code = [...readSource(page).matchAll(/```\w*\n[\s\S]*?```|`[^`\n]+`/g)].join('\n').replace(/ # .*$/gm, '')
    const npm = [...code.matchAll(/\bnpm (?:run )?([a-z][\w-]*)/g)].filter(([, name]) => !known.includes(name!))
    const files = [...code.matchAll(/\bscripts\/[\w-]+\.mjs/g)].filter(([file]) => !existsSync(root + file))
    return [...npm, ...files].map(([words]) => `${page}: ${words}`)
  })
  expect(missing).toEqual([])
})

/** How the server is called in a block of shell text: its words, and the variables before them. */
const serverCalls = [...new Set([...pages, ...docPages()])].flatMap((page) =>
  [...readSource(page).matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block]) => block!.split('\n'))
    .flatMap((line) => line.replace(/\s#.*$/, '').split(/;|&&/))
    .flatMap((call) => {
      const [, before, words] =
        /^\s*((?:\w+=(?:'[^']*'|\S+) )*)(?:quarterdeck|npm start(?: --)?|node (?:--\S+ )*apps\/server\/dist\/main\.js)(?:$| (.*))/.exec(
          call.trim(),
        ) ?? []
      if (before === undefined) return []
      const variables = [...before.matchAll(/(\w+)=(?:'([^']*)'|(\S+)) /g)]
      return [{ page, call: call.trim(), words: words?.split(/ +/) ?? [], variables }]
    }),
)

test.each(serverCalls)('$page: $call is understood', ({ words, variables }) => {
  const environment = Object.fromEntries(variables.map(([, name, quoted, plain]) => [name, quoted ?? plain]))
  expect(() => parseConfig(commandIn(words)?.flags ?? words, environment)).not.toThrow()
})
test('there are calls of the server to look at', () => expect(serverCalls.length).toBeGreaterThan(10))
