import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTranscoder, transcode } from './transcode.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const gbk = { 中文: [0xd6, 0xd0, 0xce, 0xc4], 乱码: [0xc2, 0xd2, 0xc2, 0xeb] }
const ascii = (line: string) => [...Buffer.from(line)]

test.each([
  ['GBK', 'gbk', gbk.中文, '中文'],
  ['Shift-JIS, with a backslash within a character', 'shift_jis', [0x83, 0x5c, 0x81, 0x5b], 'ソー'],
  ['Latin-1', 'windows-1252', [0x67, 0x72, 0xfc, 0xdf, 0x65], 'grüße'],
  ['KOI8-R', 'koi8-r', [0xf0, 0xd2, 0xc9], 'При'],
])('issue 36.7: %s', (_name, charset, bytes, read) => {
  expect(text(transcode(Uint8Array.from(bytes), charset))).toBe(read)
})

test('issue 36.7: each line by itself: one in UTF-8 stays, one in the set of the host is read in it', () => {
  const bytes = [...ascii('é中\n'), ...gbk.中文, ...ascii('\nplain\n'), ...gbk.乱码]
  expect(text(transcode(Uint8Array.from(bytes), 'gbk'))).toBe('é中\n中文\nplain\n乱码')
})

test('what comes at once is shown at once: whole lines, and the beginning of one that is ASCII', () => {
  const transcoder = createTranscoder('gbk')
  expect(text(transcoder.add(Uint8Array.from([...ascii('50 % '), ...gbk.中文.slice(0, 3)])))).toBe('50 % ')
  expect(text(transcoder.add(Uint8Array.from([gbk.中文[3]!, 0x0a])))).toBe('中文\n')
  expect(text(transcoder.add(Uint8Array.from(ascii('next'))))).toBe('next')
  expect(text(transcoder.end())).toBe('')
})

test('it does not matter where the chunks end', () => {
  const line = fc.oneof(fc.constantFrom([...gbk.中文], [...gbk.乱码], ascii('中'), ascii('a b')), fc.constant([0x0a]))
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(8)), (lines, sizes) => {
      const bytes = Uint8Array.from(lines.flat())
      const transcoder = createTranscoder('gbk')
      const parts: Uint8Array[] = []
      let at = 0
      for (const size of sizes) {
        parts.push(transcoder.add(bytes.subarray(at, at + size)))
        at = Math.min(bytes.length, at + size)
      }
      parts.push(transcoder.add(bytes.subarray(at)), transcoder.end())
      expect(text(Buffer.concat(parts))).toBe(text(transcode(bytes, 'gbk')))
    }),
  )
})
