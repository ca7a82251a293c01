import { chordOf, keyTable, normalChord } from '@qd/core/actions'
import { resources } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { eventsOf } from '../../../../../tests/support/tui/keys.ts'
import { createKeyDecoder } from '../../screen/terminal/keys.ts'
import { strokeOf } from './keyboard.ts'

const viewer = { id: 1, username: 'admin', role: 0, scopes: null }

/** What a terminal sends for a chord of the key table. */
function bytesOf(chord: string): string {
  const named: Readonly<Record<string, string>> = {
    Enter: '\r',
    Escape: '\u001b',
    Space: ' ',
    Tab: '\t',
    ArrowUp: '\u001b[A',
    ArrowDown: '\u001b[B',
    'Shift+ArrowUp': '\u001b[1;2A',
    'Shift+ArrowDown': '\u001b[1;2B',
    'Alt+ArrowUp': '\u001b[1;3A',
    'Alt+ArrowDown': '\u001b[1;3B',
    'Ctrl+Space': '\0',
    Home: '\u001b[H',
    End: '\u001b[F',
    PageUp: '\u001b[5~',
    PageDown: '\u001b[6~',
  }
  const control = /^Ctrl\+([a-z])$/.exec(chord)?.[1]
  return named[chord] ?? (control ? String.fromCharCode(control.charCodeAt(0) - 96) : chord)
}

test('T-20 T-22 every chord of the key table can be sent by a terminal and comes out as itself', () => {
  const chords = resources.flatMap((resource) =>
    keyTable(resource, 'tui', { viewer }).flatMap(({ chord }) => chord.split(' ')),
  )
  for (const chord of new Set(chords)) {
    const decoder = createKeyDecoder()
    const [event] = eventsOf(decoder, bytesOf(chord))
    expect(event?.type === 'key' && chordOf(strokeOf(event.chord)), chord).toBe(normalChord(chord, 'terminal'))
  }
})
