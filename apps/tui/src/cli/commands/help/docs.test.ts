import { readFileSync } from 'node:fs'
import { withoutAliases } from '@qd/core/actions'
import { expect, test } from 'vitest'
import { docPages } from '../../../../../../tests/support/sources.ts'
import { globalFlags } from '../flags/flags.ts'
import { createParser, HelpRequested } from '../parser.ts'
import { commandTree, uiFlags } from '../tree.ts'

const root = new URL('../../../../../../', import.meta.url)
const pages = ['README.md', ...docPages()]

/** Every `qd` line of a page: in blocks of shell text and in backquotes. */
function linesOf(page: string): string[] {
  const text = readFileSync(new URL(page, root), 'utf8')
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) => block!.split('\n'))
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!)
  return [...blocks, ...spans].flatMap((line) => {
    const words = wordsOf(line)
    const at = words.indexOf('qd')
    // The program answers --version before it parses anything.
    const isCommand = at >= 0 && at < words.length - 1 && words[at + 1] !== '--version'
    return isCommand && words.slice(0, at).every((word) => /^[A-Z_]+=|^npx$/.test(word))
      ? [words.slice(at + 1).join('\u0000')]
      : []
  })
}

/** The words of a shell's first command; quotes as a shell reads them. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [token, single, double] of line.matchAll(/'([^']*)'|"([^"]*)"|\$\([^)]*\)|[^\s'"]+/g)) {
    if (/^([|;#<>&]|&&)$/.test(token)) break
    words.push(single ?? double ?? token.replace(/[;]$/, ''))
    if (token.endsWith(';')) break
  }
  return words
}

const cases = pages.flatMap((page) => [...new Set(linesOf(page))].map((line) => [page, line.split('\u0000')] as const))

test('there are examples to look at', () => expect(cases.length).toBeGreaterThan(50))

test.each(cases)('%s: qd %s is a command with these flags', async (_page, words) => {
  // Placeholders of prose, such as ID, `…` and [FIELDS], stand for words.
  const ran: string[] = []
  const tree = commandTree()
  const parse = createParser({
    tree,
    globalFlags,
    uiFlags,
    open: async () => undefined,
    start: async ({ name }) => void ran.push(name),
  })
  await parse(withoutAliases(words, { tree, globalFlags })).catch((thrown: unknown) => {
    if (!(thrown instanceof HelpRequested)) throw thrown
    ran.push('help')
  })
  expect(ran).toHaveLength(1)
})
