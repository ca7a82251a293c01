import { expect, test } from 'vitest'
import { asciiKey, asciiText } from './ascii.ts'
import { cutLine, fitLine, line, lineText, lineWidth, ruleLine, span, spread, wrapText } from './line.ts'

const pieces = [span('web', 'bold'), span(' '), span('online', 'ok')]

test.each([
  [10, 'web online'],
  [9, 'web onli…'],
  [4, 'web…'],
  [1, '…'],
])('a line of ten cells in %i is %j', (cells, expected) => {
  expect(lineText(cutLine(pieces, cells))).toBe(expected)
})

test('T-16 a line is never cut inside a character, and stays as wide as it was to be', () => {
  for (const name of ['数据库服务器', 'தமிழ்-சேவையகம்', '👩‍👩‍👧-1', 'e\u0301e\u0301e\u0301']) {
    for (let cells = 1; cells < 14; cells++) expect(lineWidth(fitLine(line(name), cells))).toBe(cells)
  }
})

test('what stands at the right edge stays, the left gives way', () => {
  expect(lineText(spread(line('a long title'), line('now'), 10))).toBe('a long…now')
  expect(lineText(spread(line('a'), line('now'), 10))).toBe('a      now')
})

test('a rule has its title at the left and its state at the right', () => {
  expect(lineText(ruleLine(line('web-1'), 24, line('● online')))).toBe('─ web-1 ──── ● online ──')
  expect(lineWidth(ruleLine(line('a title that is far too long'), 12))).toBe(12)
})

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['', 4, ['']],
  ['    key: a value', 12, ['    key: a', 'value']],
])('%j in lines of %i', (text, cells, expected) => {
  expect(wrapText(text, cells)).toEqual(expected)
})

test('T-15 ASCII keeps the width of every text', () => {
  for (const text of ['● ▲ ■ ○ ✓ ✗ ◐ ↑ – ▌ ›…', 'Über café', '数据库', 'plain']) {
    expect(asciiText(text)).toMatch(/^[\x20-\x7e]*$/)
    expect(asciiText(text)).toHaveLength(lineWidth(line(text)))
  }
  expect(asciiText('Über')).toBe('Uber')
  expect(['⌃k', '⇧tab', '↵', '↑', 'esc'].map(asciiKey)).toEqual(['C-k', 'S-tab', 'enter', 'up', 'esc'])
})
