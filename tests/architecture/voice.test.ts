import { describe, expect, test } from 'vitest'
import literals from '../data/literals.json' with { type: 'json' }
import { readSource } from '../support/sources.ts'
import { readTexts } from '../support/texts.ts'

/** Keys whose text the product spec quotes. */
const quoted = new Set([...Object.values(literals.texts).flat(), ...Object.keys(literals.words)])
/** Other words for an action, which people type. */
const isAlias = (key: string) => key.includes('.aliases.')

/** English texts that this page rules, without values and without lines of pages that show what is typed. */
const texts = [...readTexts('en-US')]
  .filter(([key]) => !quoted.has(key.replace(/_(one|other)$/, '')) && !isAlias(key))
  .map(([key, text]) => ({ key, text, prose: proseOf(key, text) }))

function proseOf(key: string, text: string): string {
  const lines = key.startsWith('ui.cli.topics.') ? text.split('\n').map(explained) : [text]
  return lines.join('\n').replaceAll(/\{\{.*?\}\}/g, '0')
}

/** What a line of a help topic explains: `  online             a state or option by name`. A command explains itself. */
function explained(line: string): string {
  if (!line.startsWith('  ')) return line
  return line.startsWith('  qd ') ? '' : line.replace(/^ {2,}\S.*? {2,}|^ {2,}\S+$/, '')
}

/** What is wrong, one text a line, so that a failure reads as a list to work through. */
const found = (rule: (text: (typeof texts)[number]) => string | null) =>
  texts.flatMap((one) => {
    const wrong = rule(one)
    return wrong === null ? [] : [`${one.key}: ${wrong}: ${one.text}`]
  })

/** Terms of the list in docs/develop/voice.md, in its order. */
function avoidedTerms(): string[] {
  const [, list = ''] = /## Terms: one per thing\n([\s\S]*?)\n## /.exec(readSource('docs/develop/voice.md')) ?? []
  return list
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .slice(1)
    .flatMap((line) =>
      line
        .split('|')[3]!
        .replaceAll(/ \([^)]*\)/g, '')
        .split(/[,;]/),
    )
    .map((term) => term.trim())
    .filter((term) => term !== '–')
}

/** Terms that are right elsewhere: only a reader can tell which thing is meant. */
const ambiguous = [
  ...['choose', 'the text of a query', 'selection', 'filter', 'words', 'search', 'mute', 'silence', 'step', 'turn'],
  ...['console', 'profile', 'switch', 'over', 'keys', '#'],
]

/** Where a term of the list means something else. */
const otherMeanings: Readonly<Record<string, RegExp>> = {
  machine: /this machine/,
  cron: /server, cron, or incident/,
  login: /qd login/,
  look: /look up/,
  drop: /^Drop files/,
  options: /^Show options$|^Not one of the options$/,
  'is over': /is over the .* limit/,
  // An instruction to the person. What a button or a command does is "Retry" or "Rerun".
  'try again': /(and|then) try again|^Try again( in |\.)/i,
  id: /ID/,
}

describe('the term list of docs/develop/voice.md', () => {
  const terms = avoidedTerms()

  test('can be read', () => {
    expect(terms.length).toBeGreaterThan(50)
    expect([...ambiguous, ...Object.keys(otherMeanings)].filter((term) => !terms.includes(term))).toEqual([])
  })
  test.each(terms.filter((term) => !ambiguous.includes(term)))('no English text says “%s”', (term) => {
    const pattern = new RegExp(`\\b${term}(s|ed)?\\b`, 'i')
    const other = otherMeanings[term]
    expect(
      found(({ prose }) => pattern.exec(other ? prose.replaceAll(new RegExp(other, 'gi'), '') : prose)?.[0] ?? null),
    ).toEqual([])
  })
  test.each(Object.keys(otherMeanings))('the other meaning of “%s” is still there', (term) => {
    expect(texts.some(({ prose }) => otherMeanings[term]!.test(prose))).toBe(true)
  })
})

/** Words that are written large within a sentence: names of products and protocols, of keys, and of pages. */
const names = new Set([
  ...[
    'Cloudflare',
    'Tencent',
    'Cloud',
    'Hurricane',
    'Electric',
    'Connect',
    'Windows',
    'Europe',
    'Use',
    'Nezha',
    'Quarterdeck',
  ],
  ...['Model', 'Context', 'Protocol', 'Ctrl', 'Alt', 'Meta', 'Enter', 'Esc'],
  ...['Settings', 'Sessions', 'Users', 'Transfers'],
])

const british = [
  ...[
    'colour',
    'favour',
    'behaviour',
    'honour',
    'neighbour',
    'cancell(?!ation)',
    'labell',
    'travell',
    'modell',
    'centre',
  ],
  ...['licence', 'catalogue', 'grey', 'defence', 'whilst', 'programme(?!d|r)', 'enrol(?!l)', 'analys(?!is|es\\b)'],
]
/** Begins words that end with -ise or -ised in American English as well. */
const withS =
  /^(this|is|other|like|rais|advis|revis|supervis|exercis|promis|precis|concis|nois|wis|ris|surpris|compris|enterpris)/i

/** A rule of the page: what it finds in a text, and texts that it finds something in, so that a rule that finds nothing is noticed. */
interface Rule {
  readonly name: string
  readonly bad: readonly string[]
  find(prose: string): string | undefined
}
const pattern = (expression: RegExp) => (prose: string) => expression.exec(prose)?.[0]

const rules: readonly Rule[] = [
  {
    name: 'names no somebody',
    bad: ['Somebody saved this', 'Whoever signs in', 'nobody is notified'],
    find: pattern(/\b(whoever|somebody|nobody|anybody|everybody)\b/i),
  },
  {
    name: 'spells American',
    bad: ['Colours', 'Cancelled', 'favourite', 'Recognised', 'organise it', 'Authorisation'],
    find: (prose) =>
      pattern(new RegExp(`\\b\\w*(${british.join('|')})`, 'i'))(prose) ??
      prose.match(/\b\w+is(e|es|ed|ing|ation)\b/gi)?.find((word) => !withS.test(word)),
  },
  { name: 'writes curly apostrophes', bad: ["It's off", "the users' sessions"], find: pattern(/\p{L}'(\p{L}| )/u) },
  {
    name: 'writes curly quotes; straight ones stand in JSON and in commands alone',
    bad: ['“a" b', 'Type "web"', "named 'web'"],
    find: (prose) => pattern(/['"]/)(prose.replaceAll(/\{"[^}]*\}|'name:\*'/g, '').replaceAll(/\p{L}'\p{L}/gu, '')),
  },
  {
    name: 'writes sentence case',
    bad: ['Alert Rules', 'Open the Terminal', 'Saved. Open it in New tabs'],
    find: (prose) =>
      prose
        .replaceAll(/“[^”]*”/g, '')
        .split(/(?<=[.?:]) | · |\n/)
        .flatMap((sentence) =>
          [...sentence.trim().matchAll(/(?<=[^\p{L}\p{N}_.\-/#@])\p{Lu}\p{Ll}+(?!\p{L})/gu)].map(([word]) => word),
        )
        .find((word) => !names.has(word)),
  },
  { name: 'has no exclamation marks', bad: ['Saved!'], find: pattern(/!/) },
  {
    name: 'neither begs nor boasts',
    bad: ['Please wait', 'Saved successfully', 'Sorry, that failed'],
    find: pattern(/\b(please|sorry|successfully|oops)\b/i),
  },
]

describe.each(rules)('a text $name', ({ bad, find }) => {
  test('as all do', () => expect(found(({ prose }) => find(prose) ?? null)).toEqual([]))
  test.each(bad)('so “%s” is found', (text) => expect(find(text)).toBeDefined())
})

test('an action, an option, a group, and a label end without a period', () => {
  const isLabel = /^resources\.[^.]+\.(args\.[^.]+\.)?(actions|fields|short|options|groups|one|many|tab)\b/
  expect(found(({ key, text }) => (isLabel.test(key) && text.endsWith('.') ? 'a period' : null))).toEqual([])
})
