import { expect, test } from 'vitest'
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
