import { chordFor, chordText } from '@qd/core/actions'
import { bindings } from '../keys.ts'
import { platform } from '../ports.ts'

/** Commands of a terminal window whose keys are told. */
export const terminalCommands = ['palette', 'copySelection', 'paste', 'search', 'leave'] as const

/** Keycaps of a command as a terminal window has it: there the palette's first key is the shell's. */
export function terminalCaps(command: Parameters<typeof chordFor>[1]): readonly string[] {
  const own = bindings().filter(({ group }) => group === 'terminal')
  return chordText(chordFor(own, command) ?? '', platform)
}
