import type { KeyStroke } from '@qd/core/actions'

const names: Readonly<Record<string, string>> = { Space: ' ' }

/** A chord of the terminal as a key stroke of the key table. */
export function strokeOf(chord: string): KeyStroke {
  const parts = chord.split('+')
  const key = chord.endsWith('+') ? '+' : parts.at(-1)!
  const held = parts.slice(0, -1)
  return {
    key: names[key] ?? key,
    ctrlKey: held.includes('Ctrl'),
    altKey: held.includes('Alt'),
    ...(held.includes('Shift') ? { shiftKey: true } : {}),
  }
}
