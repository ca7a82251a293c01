import { AppError } from '@qd/core/errors'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

test('every JSON value comes through, whatever follows it', () => {
  const safe = fc
    .jsonValue({ maxDepth: 6 })
    .filter((value) => !/__proto__|constructor|prototype/i.test(JSON.stringify(value)))
  fc.assert(
    fc.property(safe, fc.constantFrom('', ' ', '\n{"a":1}', ' trailing'), (value, tail) => {
      const text = JSON.stringify(value)
      // Numbers and words have no end of their own.
      const rest = /^["[{]/.test(text) ? tail : ''
      try {
        expect(parseJson(text + rest)).toEqual(JSON.parse(text))
      } catch (error) {
        expect((error as AppError).params.text).toMatch(/is duplicated/)
      }
    }),
  )
})

test('no text makes it throw anything but an error of ours', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[[\]{}",:\\\w ]{0,40}$/)), (text) => {
      try {
        parseJson(text)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }),
  )
})

test.each(['', '  ', '{', '{"a"', '{"a":', '[1,', '"x', '}', ',', ':', '{"a":1}}'.slice(0, -2), '\u0000'])(
  '%j is refused',
  (text) => {
    expect(() => parseJson(text)).toThrow(AppError)
  },
)
