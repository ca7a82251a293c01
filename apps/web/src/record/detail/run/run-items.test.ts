import { expect, test } from 'vitest'
import { outputLines } from './run-items.ts'

test('an output is cut into lines; the last newline is not a line of its own', () => {
  expect(outputLines('')).toEqual([])
  expect(outputLines('one\r\ntwo\n')).toEqual(['one', 'two'])
  expect(outputLines('one\n\ntwo')).toEqual(['one', '', 'two'])
})

test('control characters are shown, never obeyed', () => {
  expect(outputLines('red \u001b[31malert\u0007')[0]).not.toMatch(/[\u001b\u0007]/)
})
