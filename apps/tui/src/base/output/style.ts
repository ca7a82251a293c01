import type { Tone } from '@qd/core/define'
import type { Io, Output } from '../io.ts'

/** Marks in Unicode and ASCII (looks/tui.md). */
const marks = {
  unicode: {
    success: '✓',
    failure: '✗',
    running: '◐',
    sent: '↑',
    waiting: '·',
    noAnswer: '–',
    used: '━',
    free: '─',
    cut: '…',
  },
  ascii: {
    success: '+',
    failure: 'X',
    running: '*',
    sent: '^',
    waiting: '.',
    noAnswer: '-',
    used: '#',
    free: '.',
    cut: '~',
  },
} as const

export type Mark = keyof (typeof marks)['unicode']

/** SGR parameters by tone; state never rests on color alone. Source: ECMA-48. */
const codes: Record<Tone, string> = { plain: '', muted: '2', accent: '36', ok: '32', warn: '33', bad: '31;1' }

export interface Style {
  readonly colored: boolean
  paint(tone: Tone, text: string): string
  bold(text: string): string
  mark(mark: Mark): string
}

export function createStyle(output: Output, { unicode }: Pick<Io, 'unicode'>): Style {
  const colored = output.colorDepth > 0
  const wrap = (code: string, text: string) =>
    colored && code !== '' && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text
  return {
    colored,
    paint: (tone, text) => wrap(codes[tone], text),
    bold: (text) => wrap('1', text),
    mark: (mark) => marks[unicode ? 'unicode' : 'ascii'][mark],
  }
}
