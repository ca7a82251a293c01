import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventsOf } from '../../../../../tests/support/tui/keys.ts'
import { createKeyDecoder, type KeyEvent } from './keys.ts'

const decode = (...chunks: string[]) => {
  const decoder = createKeyDecoder()
  return [...chunks.flatMap((chunk) => eventsOf(decoder, chunk, false)), ...eventsOf(decoder, '')]
}
const said = (event: KeyEvent) => {
  if (event.type === 'key') return event.chord
  return event.type === 'mouse' ? `${event.what} ${event.row},${event.column}` : `${event.type} ${event.text}`
}
const chords = (events: KeyEvent[]) => events.map(said)

test.each([
  ['j', ['j']],
  ['X', ['X']],
  ['edge\r', ['e', 'd', 'g', 'e', 'Enter']],
  ['\t\u001b[Z', ['Tab', 'Shift+Tab']],
  ['\u001b[A\u001b[B', ['ArrowUp', 'ArrowDown']],
  ['\u001bOA', ['ArrowUp']],
  ['\u001b[1;2B', ['Shift+ArrowDown']],
  ['\u001b[1;5C', ['Ctrl+ArrowRight']],
  ['\u001b[3~\u001b[5~\u001b[H', ['Delete', 'PageUp', 'Home']],
  ['\u0013\u000b', ['Ctrl+s', 'Ctrl+k']],
  ['\u007f', ['Backspace']],
  ['\u001bgt', ['Escape', 'g', 't']],
  ['\u001b', ['Escape']],
  ['\u001b\u001b', ['Escape', 'Escape']],
  [' ', ['Space']],
  ['தமி😀', ['த', 'ம', 'ி', '😀']],
  ['\u001b[999x', []],
  ['\u001b]11;rgb:ffff/ffff/ffff\u0007j', ['answer 11;rgb:ffff/ffff/ffff', 'j']],
  ['\u001b]11;rgb:0d0d/0e0e/1111\u001b\\k', ['answer 11;rgb:0d0d/0e0e/1111', 'k']],
  ['\u001b[<0;10;5M\u001b[<0;10;5mj', ['press 4,9', 'j']],
  ['\u001b[<64;1;1M\u001b[<69;3;2M\u001b[<2;3;2M', ['up 0,0', 'down 1,2']],
  ['\u001b]', ['Escape', ']']],
])('%j is %j', (text, expected) => {
  expect(chords(decode(text))).toEqual(expected)
})

test('a sequence cut anywhere between chunks is the same key', () => {
  const text = 'a\u001b[<65;1;2M\u001b[1;2Bb\u001b[3~\u001b[200~two\r\nlines\u001b[201~c'
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      const chunks = at.slice(1).map((end, index) => text.slice(at[index], end))
      expect(chords(decode(...chunks))).toEqual([
        'a',
        'down 1,0',
        'Shift+ArrowDown',
        'b',
        'Delete',
        'paste two\nlines',
        'c',
      ])
    }),
  )
})

test('T-25 a paste of 200 lines is one event', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\r')
  const events = decode(`\u001b[200~${lines}\u001b[201~`)
  expect(events).toEqual([{ type: 'paste', text: lines.replaceAll('\r', '\n') }])
})

test('a lone escape waits until nothing follows', () => {
  const decoder = createKeyDecoder()
  expect(eventsOf(decoder, '\u001b', false)).toEqual([])
  expect(decoder.waiting).toBe(true)
  expect(eventsOf(decoder, '')).toEqual([{ type: 'key', chord: 'Escape' }])
})
