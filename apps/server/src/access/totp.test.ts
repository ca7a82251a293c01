import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { judgeCode, keyUri, newKey, newRecoveryCodes, recoveryHash } from './totp.ts'

/** RFC 6238, appendix B: the key "12345678901234567890" and its codes, cut to six digits. */
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const random = { bytes: (count: number) => randomBytes(count) }

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
])('the codes of RFC 6238: at %i s it is %s', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  expect(judgeCode(key, code, { now: seconds * 1000, lastStep: 0 })).toEqual({ kind: 'good', step })
})

describe('a code and the time it comes at', () => {
  const made = 1_111_111_111
  const step = Math.floor(made / 30)
  test.each([
    ['in its own step', 0, { kind: 'good', step }],
    ['a step late', 30, { kind: 'good', step }],
    ['a step early', -30, { kind: 'good', step }],
    ['from a phone that is a minute behind', 60, { kind: 'clock', seconds: -60 }],
    ['from a phone that is a minute ahead', -60, { kind: 'clock', seconds: 60 }],
    ['from a phone that is ten minutes ahead', -600, { kind: 'clock', seconds: 600 }],
    ['an hour late', 3600, { kind: 'wrong' }],
  ])('%s', (_when, later, judged) => {
    expect(judgeCode(key, '050471', { now: (made + later) * 1000, lastStep: 0 })).toEqual(judged)
  })

  test.each([
    ['the step before was used', step - 1, 'good'],
    ['this one was used', step, 'used'],
    ['a later one was used', step + 1, 'used'],
  ])('%s', (_what, lastStep, kind) => {
    expect(judgeCode(key, '050471', { now: made * 1000, lastStep }).kind).toBe(kind)
  })

  test.each(['000000', '05047', '0504711', 'abcdef', ''])('nonsense is wrong: %j', (code) => {
    expect(judgeCode(key, code, { now: made * 1000, lastStep: 0 })).toEqual({ kind: 'wrong' })
  })
})

test('an authenticator reads whose key it is; a colon in a name does not divide it', () => {
  const uri = keyUri(newKey(random), { issuer: 'Fleet: north', label: 'kim:1' })
  expect(uri).toMatch(/^otpauth:\/\/totp\/kim%201\?/)
  expect(new URL(uri).searchParams.get('issuer')).toBe('Fleet  north')
  expect(new URL(uri).searchParams.get('secret')).toMatch(/^[A-Z2-7]{32}$/)
})

test('recovery codes differ, and count however they are spelled', () => {
  const codes = newRecoveryCodes(random)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-hj-km-np-z2-9]{5}-[a-hj-km-np-z2-9]{5}$/)
    expect(recoveryHash(` ${code.toUpperCase().replace('-', '')} `)).toBe(recoveryHash(code))
  }
})
