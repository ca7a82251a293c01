import { describe, expect, test } from 'vitest'
import { readSource, sourceFiles } from '../support/sources.ts'

const reference = (page: string) => readSource(`docs/develop/sources/${page}.md`)

/** Numbers of a page's headings, e.g. `3.2` of `### 3.2 Expression format`. */
const headings = (page: string) =>
  new Set([...reference(page).matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map((found) => found[1]!))

/** First cells of a page's tables. */
const rows = (page: string) => [...reference(page).matchAll(/^\| ([^|]+?) \|/gm)].map((found) => found[1]!)

/** What a comment or a test name cites, and where it must be found. Citations are compared without the line ends within them. */
interface Kind {
  /** Its first group is what is looked up. */
  readonly pattern: RegExp
  readonly known: (cited: string) => boolean
}

const has = (all: Iterable<string>) => (cited: string) => new Set(all).has(cited)
const behaviours = rows('behaviours')
const decisions = reference('decisions').replace(/`/g, '')
const tui = reference('looks/tui')

const kinds: Readonly<Record<string, Kind>> = {
  behaviours: { pattern: /\b([NPTCWSR]-\d\d)\b/g, known: has(behaviours) },
  'ideas of behaviours': { pattern: /\b(D\d{1,2})\b(?!\d)/g, known: has(behaviours) },
  'quirks of engines': { pattern: /\b(Q\d{1,2})\b/g, known: has(rows('engines')) },
  'sections of engines': { pattern: /\bengines (\d+(?:\.\d+)*)\b/g, known: has(headings('engines')) },
  'sections of http-api': {
    pattern: /\bhttp-api(?:\.md)?,? (?:section )?(\d+(?:\.\d+)*)\b/g,
    known: has(headings('http-api')),
  },
  'sections of the agent protocol': {
    pattern: /\bagent contract (\d+(?:\.\d+)*)\b/g,
    known: has(headings('agent-protocol')),
  },
  'sections of the product spec': {
    pattern: /\b(?:product )?spec,? section (\d+)\b/g,
    known: has(headings('product-spec')),
  },
  'sections of tokens': { pattern: /\btokens\.md (\d+)\b/g, known: has(headings('looks/tokens')) },
  'rules of looks': {
    pattern: /\blooks\/README rule (\d+)\b/g,
    known: has([...reference('looks/README').matchAll(/^(\d+)\. /gm)].map((found) => found[1]!)),
  },
  'names of decisions': { pattern: /\bdecisions\.md,? "([^"]+)"/g, known: (cited) => decisions.includes(cited) },
  'names of looks/tui': {
    pattern: /\blooks\/tui\.md "([^"]+)"/g,
    known: (cited) => tui.includes(cited.split(',')[0]!),
  },
}

/** Files whose own text is examples of citations. */
const examples = 'tests/architecture/references.test.ts'

/** A text with comments over several lines made one, so that a citation is whole. */
const joined = (text: string) => text.replace(/\n\s*(?:\*|\/\/) ?/g, ' ').replace(/`/g, '')

const sources = sourceFiles()
  .filter((file) => file !== examples)
  .map((file) => ({ file, text: joined(readSource(file)) }))

const citedIn = (text: string, { pattern }: Kind) => [...text.matchAll(pattern)].map((found) => found[1]!)

describe('every number and name that is cited stands in docs/develop/sources', () => {
  test.each(Object.entries(kinds))('%s', (_, kind) => {
    const found = sources.flatMap(({ file, text }) => citedIn(text, kind).map((cited) => ({ file, cited })))
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter(({ cited }) => !kind.known(cited))).toEqual([])
  })

  test.each([
    ['behaviours', 'P-99', false],
    ['behaviours', 'P-22', true],
    ['quirks of engines', 'Q12', true],
    ['quirks of engines', 'Q99', false],
    ['sections of engines', '3.2', true],
    ['sections of engines', '3.99', false],
    ['names of decisions', 'Step-up', true],
    ['names of decisions', 'Step-down', false],
  ])('%s know %s: %s', (kind, cited, known) => {
    expect(kinds[kind]!.known(cited)).toBe(known)
  })

  test('what lies beside the project is cited by nobody', () => {
    const outside = sources.filter(({ text }) => /\b(?:design|contract|spec|shared)\/[\w/-]+\.md\b/.test(text))
    expect(outside.map(({ file }) => file)).toEqual([])
  })
})
