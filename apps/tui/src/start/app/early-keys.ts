import { chordOf, type KeyBinding, keyTable, normalChord } from '@qd/core/actions'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { strokeOf } from './stroke.ts'

/** Keys that were pressed while the rows were still loading. */
export interface EarlyKeys {
  /** True when the key waits now. */
  hold(event: KeyEvent): boolean
  /** Presses them when the rows are there; forgets them when something lies over the screen by then. */
  release(): void
}

const aboutNoRow: readonly string[] = ['filter', 'sort', 'reload']

/** In the first second of a list keys wait instead of meaning nothing; after one that runs an action the rest would mean another place. */
export function createEarlyKeys(ui: Ui, press: (event: KeyEvent) => void): EarlyKeys {
  let held: KeyEvent[] = []
  const bindingOf = (event: KeyEvent): KeyBinding | undefined => {
    const chord = event.type === 'key' ? chordOf(strokeOf(event.chord)) : null
    const table = keyTable(ui.screen?.resource ?? null, 'tui', { viewer: ui.workspace.session.viewer() })
    return table.find((binding) => {
      const own = normalChord(binding.chord, 'terminal')
      return own === chord || own.startsWith(`${chord} `)
    })
  }
  /** The viewer is not known yet, so no action has a key. */
  const isStarting = () => ui.workspace.session.state$.status.peek() === 'unknown' && ui.workspace.loss() === null
  const hasNoRows = () => ui.screen?.waits?.() ?? false
  return {
    hold(event) {
      const isPlace = ui.overlay === null && ui.pending === null && ui.screen?.resource && !ui.screen.isTyping()
      if (event.type !== 'key' || !isPlace || !(isStarting() || hasNoRows())) return false
      const binding = bindingOf(event)
      const isAboutRows = binding?.action
        ? binding.action.on !== 'none'
        : binding?.group === 'list' && !aboutNoRow.includes(binding.command)
      const waits = !binding || (isAboutRows && (hasNoRows() || held.length > 0))
      if (waits) held.push(event)
      return waits
    },
    release() {
      if (held.length === 0 || isStarting() || hasNoRows()) return
      const keys = held
      held = []
      if (ui.overlay !== null) return
      const first = keys.findIndex((event) => bindingOf(event)?.action)
      for (const event of first < 0 ? keys : keys.slice(0, first + 1)) press(event)
    },
  }
}
