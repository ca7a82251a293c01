import { expect, test } from 'vitest'
import { createScreenStyle, paintLine } from './screen-style.ts'

test('issue 36.22 in ASCII a meter keeps the blank that separates it from the next value', () => {
  const style = createScreenStyle({ colorDepth: 0, ground: 'unknown', ascii: true })
  const meter = [
    { text: '70 ', roles: ['text'] },
    { text: '━━', roles: ['text'] },
    { text: '──  ', roles: ['track'] },
    { text: '92.0K', roles: ['text'] },
  ] as const
  expect(paintLine(style, meter)).toMatch(/^70 \S\S\.\. {2}92\.0K$/)
})
