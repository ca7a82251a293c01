import { expect, test } from 'vitest'
import { createCodes, groundOf } from './theme.ts'

test('T-13 without colour there are no codes', () => {
  expect(createCodes({ colorDepth: 0, ground: 'dark' })(['bad', 'bold'])).toBe('')
})

test('a role after another wins', () => {
  const codes = createCodes({ colorDepth: 24, ground: 'dark' })
  expect(codes(['marked', 'bad', 'focus'])).toBe('38;2;255;128;120;48;2;27;29;33')
  expect(codes(['bad', 'muted'])).toBe(codes(['muted']))
})

test.each([
  [4, 'dark', '31;1'],
  [8, 'dark', '38;5;210;1'],
  [8, 'light', '38;5;124;1'],
  [24, 'light', '38;2;182;33;33;1'],
  [24, 'unknown', '31;1'],
] as const)('T-14 %i bits on a %s ground', (colorDepth, ground, expected) => {
  expect(createCodes({ colorDepth, ground })(['bad', 'bold'])).toBe(expected)
})

test.each([
  ['\u001b]11;rgb:0d0d/0e0e/1111\u0007', undefined, 'dark'],
  ['\u001b]11;rgb:ffff/ffff/ffff\u001b\\', '15;0', 'light'],
  [null, '15;0', 'dark'],
  [null, '0;15', 'light'],
  [null, undefined, 'unknown'],
  [null, 'default;default', 'unknown'],
] as const)('the ground of %j and %j is %s', (osc11, colorfgbg, expected) => {
  expect(groundOf({ osc11, colorfgbg })).toBe(expected)
})
