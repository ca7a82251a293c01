import { expect, test } from 'vitest'
import { lineText } from './line.ts'
import { createTextInput } from './text-input.ts'

const typed = (start: string, ...chords: string[]) => {
  const input = createTextInput(start)
  for (const chord of chords) input.input({ type: 'key', chord })
  return input
}

test.each([
  ['', ['a', 'Space', 'b'], 'a b'],
  ['web', ['Backspace'], 'we'],
  ['web', ['Home', 'x'], 'xweb'],
  ['web', ['ArrowLeft', 'x'], 'wexb'],
  ['web', ['Home', 'Delete'], 'eb'],
  ['one two', ['Ctrl+w'], 'one '],
  ['one two', ['ArrowLeft', 'Ctrl+u'], 'o'],
  ['👩‍👩‍👧x', ['Backspace', 'Backspace'], ''],
  ['web', ['Tab'], 'web'],
])('%j and %j is %j', (start, chords, expected) => {
  expect(typed(start, ...chords).text).toBe(expected)
})

test('T-25 a paste is one edit, in one line', () => {
  const input = createTextInput('a')
  expect(input.input({ type: 'paste', text: 'b\nc\n' })).toBe(true)
  expect(input.text).toBe('ab c')
})

test('the cursor stays in sight, control characters are escaped, a secret shows nothing of itself', () => {
  expect(lineText(createTextInput('a long text').draw(6))).toBe(' text▁')
  expect(lineText(createTextInput('a\u001b').draw(20))).toBe('a\\x1b▁')
  expect(lineText(createTextInput('secret').draw(20, { secret: true }))).toBe('••••••▁')
  expect(lineText(createTextInput('text').draw(20, { focused: false }))).toBe('text')
})
