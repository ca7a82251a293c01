import { expect, test } from 'vitest'
import { jsonFaultAt } from './json-place.ts'

test.each(['{}', '[]', ' {"a":[1,-2.5e3,true,null,"x\\n\\u00e9"],"b":{"c":[[]],"d":{}}} ', '"text"', '0'])(
  '%j is JSON',
  (text) => {
    expect([JSON.parse(text) !== undefined, jsonFaultAt(text)]).toEqual([true, null])
  },
)

test.each([
  ['', 0],
  ['x', 0],
  ['{"a":1', 6],
  ['{"a" 1}', 5],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['{"text":"a\nb"}', 10],
  ['{"text":"a\\x"}', 10],
  ['{"swap":x}', 8],
  ['[1] 2', 4],
  ['{"a":01}', 6],
  ['[}', 1],
])('%j ends to be JSON at %i', (text, place) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonFaultAt(text)).toBe(place)
})

test('a megabyte of brackets is read without running out of stack', () => {
  expect(jsonFaultAt('['.repeat(1_000_000))).toBe(1_000_000)
})
