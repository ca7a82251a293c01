import { createDispatcher, type KeyStroke, keyTable } from '@qd/core/actions'
import type { KeyEvent } from '../terminal/keys.ts'
import { runCommand } from './commands.ts'
import type { Ui } from './ui.ts'

const names: Readonly<Record<string, string>> = { Space: ' ' }
/** Delete is the key of the web console for what `D` is here (the key table has one chord per front end); it does the same. */
const aliases: Readonly<Record<string, string>> = { Delete: 'D' }

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

/** The one way from keys to what they do: the key table first, then what is on top of the screen. */
export function createKeyboard(ui: Ui): (event: KeyEvent) => void {
  const top = () => ui.overlay ?? ui.screen
  const dispatcher = createDispatcher({
    bindings: () => keyTable(ui.screen?.resource ?? null, 'tui', { viewer: ui.desk.session.viewer() }),
    layer: () => top()?.layer ?? 'page',
    isTyping: () => top()?.isTyping() ?? false,
    platform: 'terminal',
    clock: ui.io,
    onCommand(binding) {
      if (!top()?.command(binding)) runCommand(ui, binding)
    },
    onPending(prefix) {
      ui.pending = prefix
      ui.changed()
    },
  })
  return (event) => {
    if (event.type === 'answer') return
    ui.clearFlash()
    if (event.type === 'key') {
      if (event.chord === 'Ctrl+c') return ui.quit(130)
      const isText = top()?.isTyping() ?? false
      const chord = isText ? event.chord : (aliases[event.chord] ?? event.chord)
      if (dispatcher.handle(strokeOf(chord))) return ui.changed()
    }
    top()?.input(event)
  }
}
