import { expect, test } from 'vitest'
import { readChoices, saveChoices, toFontSize } from './choices.ts'

test('W-18 choices are kept; 16 px and everything off at first', () => {
  localStorage.clear()
  const first = readChoices()
  expect(first).toEqual({ fontSize: 16, copyOnSelect: false, hostClipboard: false, screenReader: false })
  saveChoices({ ...first, fontSize: 20, screenReader: true })
  expect(readChoices()).toEqual({ ...first, fontSize: 20, screenReader: true })
})

test('what somebody else wrote does not break a terminal', () => {
  localStorage.setItem('terminal', '{"fontSize":"big"}')
  expect(readChoices().fontSize).toBe(16)
  localStorage.setItem('terminal', 'nonsense')
  expect(readChoices().fontSize).toBe(16)
  expect([toFontSize(2), toFontSize(900), toFontSize(17.4)]).toEqual([8, 40, 17])
})
