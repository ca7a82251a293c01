import { expect, test } from 'vitest'
import { line, span } from './line.ts'
import { createScreenStyle, mutedStyle, paintLine, type Run } from './screen-style.ts'

const textOf = (runs: readonly Run[]) => runs.map(({ text }) => text).join('')

test('issue 36.22 in ASCII a meter keeps the blank that separates it from the next value', () => {
  const style = createScreenStyle({ colorDepth: 0, ground: 'unknown', ascii: true })
  const meter = [
    { text: '70 ', roles: ['plain'] },
    { text: '━━', roles: ['plain'] },
    { text: '──  ', roles: ['track'] },
    { text: '92.0K', roles: ['plain'] },
  ] as const
  expect(textOf(paintLine(style, meter))).toMatch(/^70 \S\S\.\. {2}92\.0K$/)
})

test('in ASCII only the texts change, not their colours', () => {
  const style = createScreenStyle({ colorDepth: 8, ground: 'dark', ascii: true })
  expect(paintLine(style, [span('●', 'ok'), span(' Überwachung 服务器')])).toEqual([
    { text: 'o', codes: '38;5;78' },
    { text: ' Uberwachung ??????', codes: '' },
  ])
  expect(textOf(paintLine(style, line('━━━', 'track')))).toBe('...')
})

test('behind a question all of it is muted, plain words too', () => {
  const style = createScreenStyle({ colorDepth: 24, ground: 'dark', ascii: false })
  const muted = style.codes(['muted'])
  const runs = paintLine(mutedStyle(style), [span('web-eu-1 '), span('4 %', 'bad')])
  expect(runs.map(({ codes }) => codes)).toEqual([muted, muted])
})
