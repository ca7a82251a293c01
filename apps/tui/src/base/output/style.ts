import type { Tone } from '@qd/core/define'
import type { Io, Output } from '../io.ts'

/** Marks in Unicode and ASCII (looks/tui.md). */
const marks = {
  success: ['✓', '+'],
  failure: ['✗', 'X'],
  running: ['◐', '*'],
  sent: ['↑', '^'],
  waiting: ['·', '.'],
  no_answer: ['–', '-'],
  used: ['━', '#'],
  free: ['─', '.'],
  cut: ['…', '~'],
} as const

type Mark = keyof typeof marks

/** SGR parameters by tone; state never rests on color alone. Source: ECMA-48. */
const codes: Record<Tone, string> = { plain: '', muted: '2', accent: '36', ok: '32', warn: '33', bad: '31;1' }

export interface Style {
  paint(tone: Tone, text: string): string
  mark(mark: Mark): string
}

export function createStyle(output: Output, { unicode }: Pick<Io, 'unicode'>): Style {
  const colored = output.colorDepth > 0
  return {
    paint: (tone, text) => (colored && codes[tone] && text ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text),
    mark: (mark) => marks[mark][unicode ? 0 : 1],
  }
}
