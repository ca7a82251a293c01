import { plainText } from '@qd/core/fields'
import { expect, test } from 'vitest'
import { line } from './line.ts'
import { createPlacedRows } from './placed-rows.ts'
import { plainStyle } from './screen-style.ts'

function place(text: string) {
  const placed = createPlacedRows()
  const row = placed.add()!
  row.set(line(text), plainStyle)
  return { placed, row }
}

test('a row stands where Ink put it, and what is beside it keeps its column', () => {
  const { placed, row } = place('中文 web-1')
  expect(placed.expand(`${row.mark}\n│ ${row.mark}          │\n${row.mark}    │`)).toBe(
    ['中文 web-1', '│ 中文 web-1  │', '中文 …│'].join('\n'),
  )
})

test('another row takes the mark of one that is gone', () => {
  const { placed, row } = place('gone')
  row.remove()
  expect(placed.expand(`${row.mark}|`)).toBe('  |')
  const next = placed.add()!
  next.set(line('next'), plainStyle)
  expect(placed.expand(next.mark)).toBe('next')
})

test('no name of a server is a mark', () => {
  const { placed, row } = place('secret row')
  expect(placed.expand(plainText(row.mark))).toMatch(/^\\u\{fd/)
})

test('a mark that was never drawn is free after the next frame, and only once', () => {
  const { placed, row } = place('stays')
  for (let frame = 0; frame < 3; frame += 1) {
    for (let at = 0; at < 500; at += 1) placed.add()
    expect(placed.expand(row.mark)).toBe('stays')
  }
  row.remove()
  const marks = Array.from({ length: 1024 }, () => placed.add()?.mark)
  expect(new Set(marks).size).toBe(1024)
  expect(marks).not.toContain(undefined)
})

test('with too many rows there is no mark left', () => {
  const placed = createPlacedRows()
  const marks = Array.from({ length: 1100 }, () => placed.add()?.mark)
  expect(new Set(marks).size).toBe(1025)
  expect(marks.at(-1)).toBeUndefined()
})
