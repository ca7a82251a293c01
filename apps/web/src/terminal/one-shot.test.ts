import { expect, test } from 'vitest'
import { noneHeld, withHeld } from './one-shot.ts'

const ctrl = { ctrl: true, alt: false }

test('W-17 Ctrl from the key bar turns the next letter into its control character', () => {
  expect(withHeld('c', ctrl)).toBe('\u0003')
  expect(withHeld('C', ctrl)).toBe('\u0003')
  expect(withHeld('[', ctrl)).toBe('\u001b')
  expect(withHeld(' ', ctrl)).toBe('\0')
  expect(withHeld('1', ctrl)).toBe('1')
  expect(withHeld('b', { ctrl: false, alt: true })).toBe('\u001bb')
  expect(withHeld('c', noneHeld)).toBe('c')
})

test('W-17 a paste, a completed word and an answer of the terminal itself stay whole', () => {
  expect(withHeld('cat', ctrl)).toBe('cat')
  expect(withHeld('\u001b[6;1R', ctrl)).toBe('\u001b[6;1R')
})
