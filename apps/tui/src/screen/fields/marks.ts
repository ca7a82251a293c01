import type { Tone } from '@qd/core/define'
import { type Span, span } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'

/** Shapes of states whose word is known (looks/tui.md "Run marks"); any other state takes the shape of its tone. */
const byOption: Readonly<Record<string, string>> = {
  success: '✓',
  failure: '✗',
  waiting: '·',
  paused: '‖',
  sent: '↑',
  no_answer: '–',
}
const byTone: Readonly<Record<Tone, string>> = { plain: ' ', muted: '○', accent: '◐', ok: '●', warn: '▲', bad: '■' }

/** The role of a tone, for marks. */
export const toneRole: Readonly<Record<Tone, Role>> = {
  plain: 'text',
  muted: 'muted',
  accent: 'accent',
  ok: 'ok',
  warn: 'warn',
  bad: 'bad',
}

/** The role of a tone, for words and numbers. */
export const wordRole: Readonly<Record<Tone, Role>> = { ...toneRole, warn: 'warnWord', ok: 'text' }

/** The shape that stands for a state, in its colour. */
export function stateSpan(option: string | null, tone: Tone): Span {
  return span((option && byOption[option]) || byTone[tone], toneRole[tone])
}
