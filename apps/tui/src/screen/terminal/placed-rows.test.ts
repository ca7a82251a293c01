import { expect, test } from 'vitest'
import { line } from './line.ts'
import { createPlacedRows, type PlacedRows } from './placed-rows.ts'
import { createScreenStyle, plainStyle } from './screen-style.ts'

const textsOf = (placed: PlacedRows, frame: string, columns = 80) =>
  placed.expand(frame, columns).map((runs) => runs.map(({ text }) => text).join(''))

function place(text: string) {
  const placed = createPlacedRows(() => plainStyle)
  const row = placed.add()!
  row.set(line(text), plainStyle)
  return { placed, row }
}

test('a row stands where Ink put it, and what is beside it keeps its column', () => {
  const { placed, row } = place('中文 web-1')
  const frame = `${row.mark}\n│ ${row.mark}          │\n${row.mark}    │`
  expect(textsOf(placed, frame)).toEqual(['中文 web-1', '│ 中文 web-1  │', '中文 …│'])
})

test('a row is cut to the terminal, also behind the edge of a box', () => {
  const { placed, row } = place('中文 web-1')
  expect(textsOf(placed, `${row.mark}\n│ ${row.mark}`, 8)).toEqual(['中文 we…', '│ 中文 …'])
})

test('the edges of boxes have the look of rules, and a row that stays is the same array', () => {
  const style = createScreenStyle({ colorDepth: 8, ground: 'dark', ascii: false })
  const placed = createPlacedRows(() => style)
  const row = placed.add()!
  row.set(line('disk full', 'bad'), style)
  const [boxed, alone] = placed.expand(`│ ${row.mark}   │\n${row.mark}`, 20)
  expect(boxed!.map(({ text, codes }) => [text, codes])).toEqual([
    ['│', '38;5;238'],
    [' ', ''],
    ['disk…', '38;5;210'],
    ['│', '38;5;238'],
  ])
  expect(placed.expand(row.mark, 20)[0]).toBe(alone)
})

test('another row takes the mark of one that is gone', () => {
  const { placed, row } = place('gone')
  row.remove()
  expect(textsOf(placed, `${row.mark}|`)).toEqual(['  |'])
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
  const placed = createPlacedRows(() => plainStyle)
  const marks = Array.from({ length: 1100 }, () => placed.add()?.mark)
  expect(new Set(marks).size).toBe(1025)
  expect(marks.at(-1)).toBeUndefined()
})
