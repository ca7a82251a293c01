import { expect, test } from 'vitest'
import { line } from './line.ts'
import { createPlacedRows, type PlacedRows } from './placed-rows.ts'
import { plainStyle } from './screen-style.ts'

const textsOf = (placed: PlacedRows, frame: string, columns = 80) =>
  placed.expand(frame, columns).map((runs) => runs.map(({ text }) => text).join(''))

function place(text: string) {
  const placed = createPlacedRows()
  const row = placed.add()!
  row.set(line(text), plainStyle)
  return { placed, row }
}

test('rows stand in Ink’s order, cut to the terminal; one that stays is the same array', () => {
  const { placed, row } = place('中文 web-1')
  expect(textsOf(placed, `${row.mark}\n\n${row.mark}`)).toEqual(['中文 web-1', '', '中文 web-1'])
  expect(textsOf(placed, row.mark, 8)).toEqual(['中文 we…'])
  expect(placed.expand(row.mark, 20)[0]).toBe(placed.expand(row.mark, 80)[0])
})

test('another row takes the mark of one that is gone', () => {
  const { placed, row } = place('gone')
  row.remove()
  expect(textsOf(placed, row.mark)).toEqual([''])
  const next = placed.add()!
  next.set(line('next'), plainStyle)
  expect(textsOf(placed, next.mark)).toEqual(['next'])
})

test('no text is a mark: Ink sees none', () => {
  const { placed, row } = place('secret row')
  const next = placed.add()!
  next.set(line(`${row.mark} ${next.mark}`), plainStyle)
  expect(textsOf(placed, next.mark)).toEqual([`${row.mark} ${next.mark}`])
})

test('a mark that was never drawn is free after the next frame, and only once', () => {
  const { placed, row } = place('stays')
  for (let frame = 0; frame < 3; frame += 1) {
    for (let at = 0; at < 500; at += 1) placed.add()
    expect(textsOf(placed, row.mark)).toEqual(['stays'])
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
