import fc from 'fast-check'
import { expect, test } from 'vitest'
import { optionFlag, plainLines, plainText } from './index.ts'

test('nothing a terminal obeys is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plainText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      expect(plainLines(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})

test.each([
  ['allExcept', 'all-except'],
  ['de-DE', 'de-DE'],
  ['admin', 'admin'],
])('flag of option %s', (name, flag) => expect(optionFlag(name)).toBe(flag))
