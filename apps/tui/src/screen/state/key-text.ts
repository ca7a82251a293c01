import { chordText } from '@qd/core/actions'
import { asciiKey } from '../terminal/ascii.ts'
import type { Ui } from './ui.ts'

/** A chord as keys are named on this terminal: `⌃k`, `g s`, `↵`. */
export function keyText({ look }: Pick<Ui, 'look'>, chord: string): string {
  const keys = chordText(chord, 'terminal')
  return (look.ascii ? keys.map(asciiKey) : keys).join(' ')
}
