import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createShellEscape } from './shell-escape.ts'

const typed = (...pieces: string[]) => {
  const take = createShellEscape()
  const taken = pieces.map((piece) => take(Buffer.from(piece, 'latin1')))
  return {
    sent: taken.map(({ bytes }) => Buffer.from(bytes).toString('latin1')).join(''),
    leaves: taken.some(({ leaves }) => leaves),
  }
}

test.each([
  ['~.', '', true],
  ['ls\r~.', 'ls\r', true],
  ['ls\r~~', 'ls\r~', false],
  ['ls\r~x', 'ls\r~x', false],
  ['~/bin\r', '~/bin\r', false],
  ['a~.', 'a~.', false],
  ['\u0003\u001a\u001b[<0;1;1M\u00ff', '\u0003\u001a\u001b[<0;1;1M\u00ff', false],
  ['\r~~.', '\r~.', false],
])('T-27 %j sends %j, leaves: %s', (text, sent, leaves) => {
  expect(typed(text)).toEqual({ sent, leaves })
  expect(typed(...text)).toEqual({ sent, leaves })
})

test('T-27 bytes without a ~ go through unchanged, in whatever pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (pieces) => {
      const clean = pieces.map((piece) => piece.filter((byte) => byte !== 126))
      const take = createShellEscape()
      expect(clean.flatMap((piece) => [...take(piece).bytes])).toEqual(clean.flatMap((piece) => [...piece]))
    }),
  )
})
