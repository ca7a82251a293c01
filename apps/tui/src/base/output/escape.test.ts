import { expect, test } from 'vitest'
import { jsonDocument, jsonLines } from './json.ts'

const hostile = 'a\u001b]52;c;aGk=\u0007\u009b31m\u202eb\u007f\u2028'

test('S-40 T-17 control and direction characters of data are escaped in JSON and read as the same value', () => {
  const text = jsonDocument({ name: hostile }, { isTTY: false })
  expect(text).toMatch(/^[\x20-\x7e]*\n$/)
  expect(JSON.parse(text)).toEqual({ name: hostile })
})

test('C-07 one line in a pipe, indented on a terminal, a value a line for --jsonl', () => {
  expect(jsonDocument([{ id: 1 }], { isTTY: false })).toBe('[{"id":1}]\n')
  expect(jsonDocument([{ id: 1 }], { isTTY: true })).toBe('[\n  {\n    "id": 1\n  }\n]\n')
  expect(jsonLines([{ id: 1 }, { id: 2 }])).toBe('{"id":1}\n{"id":2}\n')
})
