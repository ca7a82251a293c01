import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScrollback } from './scrollback.ts'

test('answers what somebody has missed; where that is too much, the last of it from a line end on', () => {
  const chunk = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 20 }), fc.nat(900), (chunks, from) => {
      const scrollback = createScrollback(64)
      for (const bytes of chunks) scrollback.add(bytes)
      const all = Buffer.concat(chunks)
      const last = all.subarray(-64)
      const isKept = from >= all.length - last.length
      const expected = isKept ? all.subarray(from) : last.subarray(last.indexOf(10) + 1)
      expect(Buffer.from(scrollback.read(from))).toEqual(Buffer.from(expected))
    }),
  )
})

test('one chunk larger than all of it leaves its end', () => {
  const scrollback = createScrollback(4)
  scrollback.add(Buffer.from('before'))
  scrollback.add(Buffer.from('123456789'))
  expect(Buffer.from(scrollback.read(0)).toString()).toBe('6789')
})
