import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createReader, type ProtocolError, toBytes } from './bytes.ts'

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act()
  } catch (error) {
    return (error as ProtocolError).code
  }
}

test('what is written is read back, and nothing is left', () => {
  const number = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n })
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(number(8), number(32), number(64), fc.uint8Array(), text, (u8, u32, u64, raw, words) => {
      const head = new TextEncoder().encode(words).length
      const reader = createReader(toBytes({ u8: Number(u8) }, { u32: Number(u32) }, { u64 }, words, raw))
      expect([reader.u8(), reader.u32(), reader.u64()]).toEqual([Number(u8), Number(u32), u64])
      expect(reader.text(head)).toBe(words)
      expect([...reader.rest()]).toEqual([...raw])
      expect(reader.left).toBe(0)
    }),
  )
})

test('a reader over a view keeps to the view', () => {
  const reader = createReader(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))
  expect([reader.u8(), reader.u8(), codeOf(() => reader.u8())]).toEqual([2, 3, 'truncated'])
})

test.each([
  ['u8 at the end', () => createReader(new Uint8Array()).u8(), 'truncated'],
  ['u32 of three bytes', () => createReader(new Uint8Array(3)).u32(), 'truncated'],
  ['u64 of seven bytes', () => createReader(new Uint8Array(7)).u64(), 'truncated'],
  ['more than there is', () => createReader(new Uint8Array(2)).take(3), 'truncated'],
  ['a negative length', () => createReader(new Uint8Array(2)).take(-1), 'truncated'],
  ['broken UTF-8', () => createReader(Uint8Array.of(0xff)).text(), 'not-utf8'],
  ['256 in one byte', () => toBytes({ u8: 256 }), 'out-of-range'],
  ['a negative number', () => toBytes({ u32: -1 }), 'out-of-range'],
  ['a fraction', () => toBytes({ u32: 1.5 }), 'out-of-range'],
  ['2^64', () => toBytes({ u64: 1n << 64n }), 'out-of-range'],
])('refused: %s', (_name, act, code) => {
  expect(codeOf(act)).toBe(code)
})
