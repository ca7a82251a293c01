import { expect, test } from 'vitest'
import { createPainter, createTheme, groundOf } from './theme.ts'

test('T-13 without colour nothing is written but the text', () => {
  const paint = createPainter(createTheme({ colorDepth: 0, ground: 'dark' }))
  expect(paint('db-eu-2', 'bad', 'bold')).toBe('db-eu-2')
})

test.each([
  [4, 'dark', '\u001b[31;1mx\u001b[0m'],
  [8, 'dark', '\u001b[38;5;210;1mx\u001b[0m'],
  [8, 'light', '\u001b[38;5;124;1mx\u001b[0m'],
  [24, 'light', '\u001b[38;2;182;33;33;1mx\u001b[0m'],
  [24, 'unknown', '\u001b[31;1mx\u001b[0m'],
] as const)('T-14 %i bits on a %s ground', (colorDepth, ground, expected) => {
  expect(createPainter(createTheme({ colorDepth, ground }))('x', 'bad', 'bold')).toBe(expected)
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
