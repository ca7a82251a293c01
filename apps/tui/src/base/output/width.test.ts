import { expect, test } from 'vitest'
import { widthOf } from './width.ts'

test.each([
  ['web-1', 5],
  ['Überwachung', 11],
  ['服务器', 6],
  ['日本語', 6],
  ['한국어', 6],
  ['தமிழ்', 4],
  ['e\u0301', 1],
  ['😀', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['ｶﾞ', 2],
  ['☎', 1],
  ['☎\ufe0f', 2],
  // Wide by newer versions of Unicode than most tables were written from.
  ['\u4dc0', 2],
  ['\u2630', 2],
  ['\u{17000}', 2],
])('issue 13: %s takes %i cells', (text, cells) => {
  expect(widthOf(text)).toBe(cells)
})
