import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnyRow, Field, Resource, ResourceName, View } from '../define/index.ts'
import { optionFlag } from '../fields/index.ts'
import { resources, service, transfer } from '../resources/index.ts'
import { completions, matches, parseSelection, quote, selectRows, tokens } from './index.ts'

interface Vectors {
  now: string
  title: string
  search: string[]
  fields: Record<string, Field>
  related: Partial<Record<ResourceName, { id: number; title: string }[]>>
  rows: AnyRow[]
  select: [string, number[], string][]
  problems: [string, number, number, string, Record<string, string>][]
  typing: [string, number[], string][]
  tokens: [string, [string, number, number][]][]
  completions: [string, number, number, number, string[]][]
}

const file = new URL('../../../../tests/vectors/selection.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors
const { rows, related } = vectors

const resource = {
  name: 'session',
  title: vectors.title,
  search: vectors.search,
  fields: vectors.fields,
  derived: {},
} as unknown as Resource

const view: View = {
  now: Date.parse(vectors.now),
  all: (name) => (name === resource.name ? rows : (related[name] ?? [])),
  find: (name, id) => view.all(name).find((row) => row.id === id),
  title: (name, id) => related[name]?.find((row) => row.id === id)?.title ?? null,
  referring: () => [],
  trend: () => [],
}

function idsOf(text: string, partial = false): number[] {
  const { selection } = parseSelection(resource, text, { partial })
  return selectRows(selection, resource, rows, view).map(({ id }) => id)
}

describe('C-16 the selection language', () => {
  test.each(vectors.select)('%s selects %j: %s', (text, ids) => {
    const parsed = parseSelection(resource, text)
    expect(parsed.ok ? null : parsed.problem).toBeNull()
    expect(idsOf(text)).toEqual(ids)
    expect(rows.filter((row) => matches(parsed.selection, resource, row, view)).map(({ id }) => id)).toEqual(ids)
  })

  test.each(vectors.problems)('%s is wrong from %i to %i: %s', (text, at, to, code, params) => {
    const parsed = parseSelection(resource, text)
    expect(parsed).toMatchObject({ ok: false, problem: { at, to, code, params } })
  })

  test.each(vectors.typing)('P-33 while typing, %s selects %j: %s', (text, ids) => {
    expect(parseSelection(resource, text, { partial: true }).ok).toBe(true)
    expect(idsOf(text, true)).toEqual(ids)
  })

  test.each(vectors.tokens)('tokens of %s', (text, expected) => {
    expect(tokens(text).map(({ kind, from, to }) => [kind, from, to])).toEqual(expected)
  })

  test.each(vectors.completions)('completes %s at %i', (text, cursor, from, to, expected) => {
    const found = completions(resource, text, cursor, view)
    expect({ from: found.from, to: found.to, items: found.items.map((item) => item.text) }).toEqual({
      from,
      to,
      items: expected,
    })
  })

  test('every example of docs/reference/query-language.md is a vector', () => {
    const page = readFileSync(new URL('../../../../docs/reference/query-language.md', import.meta.url), 'utf8')
    const examples = page.split('## Examples')[1]!.split('## ')[0]!
    const shown = [...examples.matchAll(/^\| `(.+?)` \|/gm)].map((match) => match[1])
    expect(shown.length).toBeGreaterThan(10)
    expect(vectors.select.map(([text]) => text)).toEqual(expect.arrayContaining(shown))
  })

  test('offers words and terms where nothing is typed', () => {
    const items = completions(resource, '', 0, view).items.map((item) => item.text)
    expect(items).toEqual(expect.arrayContaining(['online', 'never', 'hidden', 'group:', 'agent>']))
    expect(items.join()).not.toMatch(/secret|internal/)
  })
})

describe('issue 35: words that are shown for an option beside its name', () => {
  test.each([
    ['service.state', 'degraded', 'unsteady', service, 'state'],
    ['transfer.status', 'canceled', 'cancelled', transfer, 'status'],
  ] as const)('%s: %s is shown, %s stays valid', (_name, shown, former, one, field) => {
    const offered = (text: string) =>
      completions(one, text, text.length, { ...view, all: () => [] }).items.map((item) => item.text)
    const value = Object.entries((one.fields[field] as { options: Record<string, unknown> }).options).find(
      ([name]) => name === former,
    )![1]
    const means = (text: string) => {
      const parsed = parseSelection(one, text)
      if (!parsed.ok || parsed.selection.node.kind !== 'field') return parsed
      return parsed.selection.node.any.map((matcher) => [matcher(view)(value), matcher(view)('other')])
    }
    for (const text of [shown, former, `${field}:${shown}`, `${field}=${former}`, `${field}:${shown.toUpperCase()}`])
      expect([text, means(text)]).toEqual([text, [[true, false]]])
    expect(offered('')).toContain(shown)
    expect([...offered(''), ...offered(former.slice(0, 4)), ...offered(`${field}:`)]).not.toContain(former)
    expect(offered(`${field}:`)).toContain(shown)
    const wrong = parseSelection(one, `${field}:nonsense`)
    expect(!wrong.ok && wrong.problem.params.options).toMatch(new RegExp(`\\b${shown}\\b`))
    expect(!wrong.ok && wrong.problem.params.options).not.toMatch(new RegExp(`\\b${former}\\b`))
  })
})

const pieces = fc.constantFrom(
  ...[
    'web',
    'online',
    'group:',
    'os:',
    'version<',
    'cpu>=',
    '1.14',
    '90',
    '2d',
    ',',
    ' ',
    '!',
    '(',
    ')',
    'or ',
    '"',
    '\\',
    '*',
  ],
)
const anyText = fc.oneof(
  fc.string(),
  fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
)
const goodText = fc.constantFrom(
  ...vectors.select.map(([text]) => text).filter((text) => text !== '' && !text.includes(' or ')),
)

describe('properties of the selection language', () => {
  test('every text is understood or has a problem within it, and never throws', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), fc.nat(20), (text, partial, cursor) => {
        const parsed = parseSelection(resource, text, { partial })
        if (!parsed.ok) expect(parsed.problem.at).toBeLessThan(parsed.problem.to)
        if (!parsed.ok) expect(parsed.problem.to).toBeLessThanOrEqual(text.length)
        idsOf(text, partial)
        completions(resource, text, Math.min(cursor, text.length), view)
      }),
      { numRuns: 500 },
    )
  })

  test('tokens follow one another and leave out nothing but spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0
        for (const { from, to } of tokens(text)) {
          expect(text.slice(end, from).trim()).toBe('')
          expect(to).toBeGreaterThan(from)
          end = to
        }
        expect(text.slice(end).trim()).toBe('')
      }),
    )
  })

  test('a quoted text means exactly itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        const row = { ...rows[0]!, id: 99, name }
        const parsed = parseSelection(resource, `name=${quote(name)}`)
        expect(parsed.ok && selectRows(parsed.selection, resource, [row, ...rows], view)[0]?.id).toBe(99)
      }),
    )
  })

  test('the option of a facet is a word that chooses it, also where its name is of several words', () => {
    for (const one of resources) {
      const field = one.facet === null ? undefined : one.fields[one.facet]
      if (field?.kind !== 'choice' || !field.words) continue
      for (const option of Object.keys(field.options))
        for (const word of [option, optionFlag(option)])
          expect([word, parseSelection(one, word).selection.node]).toMatchObject([
            word,
            { kind: 'field', field: one.facet },
          ])
    }
  })

  test('T-19 ! selects what is left, side by side is in both, or is in either', () => {
    fc.assert(
      fc.property(goodText, goodText, (a, b) => {
        const [inA, inB] = [idsOf(a), idsOf(b)]
        const all = rows.map(({ id }) => id)
        expect(idsOf(`!(${a})`)).toEqual(all.filter((id) => !inA.includes(id)))
        expect(idsOf(`(${a}) (${b})`)).toEqual(all.filter((id) => inA.includes(id) && inB.includes(id)))
        expect(idsOf(`(${a} ) or (${b} )`)).toEqual(all.filter((id) => inA.includes(id) || inB.includes(id)))
      }),
    )
  })

  test('what completion offers is understood', () => {
    fc.assert(
      fc.property(fc.constantFrom(...vectors.completions), fc.nat(10), ([text, cursor], choice) => {
        const { from, to, items } = completions(resource, text, cursor, view)
        const item = items[choice % items.length]!
        const done = text.slice(0, from) + item.text + text.slice(to)
        expect(parseSelection(resource, done, { partial: true }).ok).toBe(true)
      }),
    )
  })

  test('10,000 rows are filtered in under 20 ms', () => {
    const many = Array.from({ length: 10_000 }, (_, id) => ({ ...rows[id % rows.length]!, id: id + 1 }))
    for (const text of ['web', 'group:web,db', 'online version<2.3 !os:windows']) {
      const { selection } = parseSelection(resource, text)
      const times = Array.from({ length: 10 }, () => {
        const start = performance.now()
        selectRows(selection, resource, many, view)
        return performance.now() - start
      })
      expect(Math.min(...times)).toBeLessThan(20)
    }
  })
})
