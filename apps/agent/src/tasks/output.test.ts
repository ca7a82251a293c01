import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOutput } from './output.ts'

const collect = (maxBytes: number, chunks: Uint8Array[]) => {
  const output = createOutput(maxBytes)
  const pieces = chunks.map((chunk) => output.add(chunk))
  return { pieces, text: output.finish() }
}
const bytes = (text: string) => Buffer.from(text)

test('a character split over two chunks stays whole', () => {
  const euro = bytes('€')
  expect(collect(100, [euro.subarray(0, 1), euro.subarray(1)])).toEqual({ pieces: ['', '€'], text: '€' })
})

test('bytes that are not UTF-8 become U+FFFD, also at the very end, and a word says so', () => {
  const { pieces, text } = collect(100, [Uint8Array.of(0xff, 0x61, 0xe2, 0x82)])
  expect(text).toBe('\ufffda\ufffd\n[3 bytes aren’t UTF-8]')
  expect(pieces).toEqual(['\ufffda'])
  expect(collect(100, [Uint8Array.of(0x61, 0xa7)]).text).toBe('a\ufffd\n[1 byte isn’t UTF-8]')
  // What was cut is not counted as well.
  expect(collect(4, [Uint8Array.of(0xff, 0x61, 0x61, 0xff)]).text).toBe('\ufffda\n[1 byte isn’t UTF-8]\n[2 bytes cut]')
})

test.each([
  ['abcdef', 4, 'abcd\n[2 bytes cut]'],
  ['abc€', 5, 'abc\n[3 bytes cut]'],
  ['abc€', 6, 'abc€'],
  ['', 0, ''],
  ['x', 0, '\n[1 bytes cut]'],
  ['aü', 2, 'a\n[2 bytes cut]'],
  ['aa😀', 5, 'aa\n[4 bytes cut]'],
])('%j within %d bytes is %j', (text, maxBytes, kept) => {
  expect(collect(maxBytes, [bytes(text)]).text).toBe(kept)
})

test('any bytes in any chunks: valid text within the limit, pieces are its beginning, nothing uncounted', () => {
  const chunk = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'grapheme' }).map(bytes))
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(100), (chunks, maxBytes) => {
      const { pieces, text } = collect(maxBytes, chunks)
      const [, kept = '', invalid, cut] =
        /^(.*?)(?:\n\[(\d+) bytes? (?:isn’t|aren’t) UTF-8\])?(?:\n\[(\d+) bytes cut\])?$/s.exec(text)!
      expect(invalid !== undefined).toBe(
        kept.split('\ufffd').length > Buffer.concat(chunks).toString('latin1').split('\xef\xbf\xbd').length ||
          (cut !== undefined && invalid !== undefined),
      )
      expect(kept.startsWith(pieces.join(''))).toBe(true)
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes)
      expect(Buffer.from(text).toString()).toBe(text)
      if (!cut) expect(kept).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks)))
      expect(text).toBe(collect(maxBytes, [Buffer.concat(chunks)]).text)
    }),
    { numRuns: 1000 },
  )
})

test('issue 10: a character that two pieces share is counted when the text is full', () => {
  const text = bytes('0123456789ü')
  expect(collect(5, [text.subarray(0, 11), text.subarray(11)]).text).toBe('01234\n[7 bytes cut]')
})
