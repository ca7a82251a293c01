import { describe, expect, test } from 'vitest'
import { checkInput } from '../fields/index.ts'
import { account } from './account.ts'

const valid = { ...account.initial, new_username: 'admin', original_password: 'old', new_password: 'a new password' }
const problems = (change: object) => {
  const checked = checkInput(account.input, { ...valid, ...change })
  return checked.ok ? [] : checked.problems
}

describe('issue 10.6: lengths of passwords', () => {
  test.each([
    ['8 characters of 8 bytes', '12345678', []],
    ['8 characters of 32 bytes', '🔑'.repeat(8), []],
    ['72 bytes', 'x'.repeat(72), []],
    ['7 characters of 7 bytes', '1234567', ['tooShort']],
    ['4 characters of 8 bytes', 'éééé', ['tooShort']],
    ['7 characters of 28 bytes', '🔑'.repeat(7), ['tooShort']],
    ['40 characters of 80 bytes', 'é'.repeat(40), ['tooManyBytes']],
  ])('a new one of %s', (_name, new_password, codes) => {
    expect(problems({ new_password }).map(({ code }) => code)).toEqual(codes)
  })

  test.each(['x', 'éééé', 'x'.repeat(500)])('the old one is not judged: %s', (original_password) => {
    expect(problems({ original_password })).toEqual([])
  })

  test('the old one is needed', () => {
    expect(problems({ original_password: '' })).toEqual([{ field: 'original_password', code: 'required' }])
  })
})
