import { expect, test } from 'vitest'
import { createRowReferences } from './row-references.ts'

test('rows come back in their places, and a row that stays keeps its reference', () => {
  const { refer, resolve } = createRowReferences()
  const first = refer(['one', 'two', '', 'one'])
  expect(resolve(first.join('\n'))).toBe('one\ntwo\n\none')
  const second = refer(['zero', 'two', 'three'])
  expect(second[1]).toBe(first[1])
  expect(resolve(second.join('\n'))).toBe('zero\ntwo\nthree')
  expect(new Set([...first, ...second]).size).toBe(5)
})

test('references are used again after a while, but never those of rows still on screen', () => {
  const { refer, resolve } = createRowReferences()
  for (let round = 0; round < 10_000; round++) {
    const rows = ['stays', `comes and goes ${round}`]
    expect(resolve(refer(rows).join('\n'))).toBe(rows.join('\n'))
  }
})
