import type { Tone } from '@qd/core/define'
import type { TerminalState } from '@qd/core/shells'

/** The mark of each state of a shell. */
export const toneOf: Readonly<Record<TerminalState['status'], Tone>> = {
  opening: 'accent',
  live: 'ok',
  lost: 'warn',
  refused: 'bad',
  ended: 'muted',
}
