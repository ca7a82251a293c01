import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { toYaml } from './yaml.ts'

test('C-19 maps, lists and texts in blocks', () => {
  expect(
    toYaml({
      server: [
        { id: 1, name: 'web-1', note: 'two\nlines\n', list: [], map: { a: [1, 2] }, none: null, ok: true },
        { id: 2, name: 'no', note: 'a: b', list: ['x', '- y'], map: {}, none: null, ok: false },
      ],
    }),
  ).toBe(`server:
  - id: 1
    name: web-1
    note: |
      two
      lines
    list: []
    map:
      a:
        - 1
        - 2
    none: null
    ok: true
  - id: 2
    name: "no"
    note: "a: b"
    list:
      - x
      - "- y"
    map: {}
    none: null
    ok: false
`)
})

test('S-40 C-19 what YAML could take for something else is quoted', () => {
  const texts = [
    '',
    ' a',
    'a ',
    '1',
    '1.5',
    'null',
    'Yes',
    '#x',
    'a\u001b[31m',
    'x\n\n',
    '\ny',
    'a\u2028b',
    'tab\there',
    '~',
    '*a',
    '{',
    '"q"',
  ]
  for (const text of texts) expect(toYaml([text]), text).toMatch(/^- "[\x20-\x7e]*"\n$/)
  expect(toYaml(['last\nline'])).toBe('- |-\n  last\n  line\n')
})

test('issue 13: whatever is written, the library reads as what it was', () => {
  const same = (value: unknown) => {
    expect(parse(toYaml(value))).toEqual(JSON.parse(JSON.stringify(value)))
  }
  const seed = { seed: 13 }
  void assert(property(jsonValue(), same), seed)
  const text = string({ unit: 'grapheme' })
  void assert(property(dictionary(text, text, { noNullPrototype: true }), same), seed)
})
