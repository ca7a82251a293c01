import type { Tone } from '@qd/core/define'
import { type Span, span } from '../terminal/line.ts'
import type { Role } from '../terminal/theme.ts'

/** Shapes of known states (looks/tui.md "Run marks"); others take their tone's. */
const byOption: Readonly<Record<string, string>> = {
  success: '✓',
  failure: '✗',
  waiting: '·',
  paused: '‖',
  sent: '↑',
  no_answer: '–',
}
const byTone: Readonly<Record<Tone, string>> = { plain: ' ', muted: '○', accent: '◐', ok: '●', warn: '▲', bad: '■' }

export const wordRole: Readonly<Record<Tone, Role>> = {
  ...{ plain: 'plain', muted: 'muted', accent: 'accent' },
  ...{ ok: 'plain', warn: 'warnWord', bad: 'bad' },
}

export function stateSpan(option: string | null, tone: Tone): Span {
  return span((option && byOption[option]) || byTone[tone], tone)
}
