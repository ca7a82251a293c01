import { chordOf, createDispatcher, type KeyBinding, type KeyStroke, keyTable, normalChord } from '@qd/core/actions'
import { lastItem } from '@qd/core/errors'
import { askToLeave } from '../../places/views/confirm.ts'
import { keysHere } from '../../screen/state/actions.ts'
import { obey, type Screen, takeKey } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import { listOfNumber, numbersLead, runCommand } from './commands.ts'
import { createCounts } from './counts.ts'
import { createPointer } from './pointer.ts'

const names: Readonly<Record<string, string>> = { Space: ' ' }

export function strokeOf(chord: string): KeyStroke {
  const parts = chord.split('+')
  const key = chord.endsWith('+') ? '+' : lastItem(parts)
  const held = parts.slice(0, -1)
  return {
    key: names[key] ?? key,
    ctrlKey: held.includes('Ctrl'),
    altKey: held.includes('Alt'),
    ...(held.includes('Shift') ? { shiftKey: true } : {}),
  }
}

const aboutNoRow: readonly string[] = ['filter', 'sort', 'reload']

/** Holds keys while a list loads. After one that runs an action, the rest would mean another place. */
function createEarlyKeys(ui: Ui, press: (event: KeyEvent) => void) {
  let held: KeyEvent[] = []
  const bindingOf = (event: KeyEvent): KeyBinding | undefined => {
    const chord = event.type === 'key' ? chordOf(strokeOf(event.chord)) : null
    const table = keyTable(ui.screen?.resource ?? null, 'tui', { viewer: ui.workspace.session.viewer() })
    return table.find((binding) => {
      const own = normalChord(binding.chord, 'terminal')
      return own === chord || own.startsWith(`${chord} `)
    })
  }
  /** Without a viewer, actions have no keys yet. */
  const isStarting = () => ui.workspace.session.state$.status.peek() === 'unknown' && ui.workspace.loss() === null
  const hasNoRows = () => ui.screen?.waits?.() ?? false
  return {
    hold(event: KeyEvent) {
      const isPlace = ui.overlay === null && ui.pending === null && ui.screen?.resource && !ui.screen.isTyping?.()
      if (event.type !== 'key' || !isPlace || !(isStarting() || hasNoRows())) return false
      const binding = bindingOf(event)
      const isAboutRows = binding?.action
        ? binding.action.on !== 'none'
        : binding?.group === 'list' && !aboutNoRow.includes(binding.command)
      const waits = !binding || (isAboutRows && (hasNoRows() || held.length > 0))
      if (waits) held.push(event)
      return waits
    },
    /** Replays the keys when rows are loaded; drops them if an overlay opened. */
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

/** Delete, as in the web console (the key table has one chord per front end). */
const aliases: Readonly<Record<string, string>> = { Delete: 'D' }

const interruptedCode = 130

export function createKeyboard(ui: Ui) {
  const top = () => ui.overlay ?? ui.screen
  let isAsked = false
  let isSequence = false
  /** Ctrl+C quits, but asks if input would be lost; again, it quits. */
  const interrupt = () => {
    const changes = ui.stack.reduce((sum, screen) => sum + (screen.unsaved?.() ?? 0), 0)
    if (changes === 0 || isAsked) return ui.quit(interruptedCode)
    isAsked = true
    void askToLeave(ui, changes).then((goes) => {
      isAsked = false
      if (goes) ui.quit(interruptedCode)
    })
  }
  const dispatcher = createDispatcher({
    bindings: () => keysHere(ui),
    layer: () => top()?.layer ?? 'page',
    isTyping: () => top()?.isTyping?.() ?? false,
    platform: 'terminal',
    clock: ui.io,
    onCommand(binding) {
      const goToRow = top()?.goToRow
      const place = goToRow ? counts.placeOf(binding) : null
      if (goToRow && place !== null) return goToRow(place)
      for (const command of counts.commandsOf(binding)) {
        const meant = { ...binding, command }
        if (!obey(top(), meant)) runCommand(ui, meant)
      }
    },
    onPending(prefix) {
      isSequence = prefix !== null
      ui.pending = prefix
    },
  })
  const counts = createCounts({
    clock: ui.io,
    onShow(text) {
      ui.pending = text
    },
    leads: () => numbersLead(ui),
    onAlone(number) {
      const list = listOfNumber(ui, number)
      if (list) ui.places.goTo(list)
    },
  })
  const takesCounts = () => !ui.overlay && !top()?.isTyping?.() && ['page', 'files'].includes(top()?.layer ?? '')
  const pressKey = (event: KeyEvent & { type: 'key' }) => {
    if (event.chord === 'Ctrl+c') return interrupt()
    const chord = top()?.isTyping?.() ? event.chord : (aliases[event.chord] ?? event.chord)
    if (takesCounts() && !isSequence && counts.take(chord)) return
    if (chord === 'Escape' && counts.forget()) return
    const isTaken = dispatcher.handle(strokeOf(chord))
    if (!isSequence) counts.forget()
    const shown = top()
    if (!isTaken && shown) takeKey(shown, event)
  }
  /** Where Enter was pressed, while keys of the same chunk follow. */
  let entered: Screen | null = null
  const press = (event: KeyEvent) => {
    if (event.type === 'answer') return
    const isEnter = event.type === 'key' && event.chord === 'Enter'
    // A double Enter must not act on the page it opened.
    if (isEnter && entered && entered !== ui.screen && !ui.overlay) return
    entered = isEnter && !ui.overlay ? ui.screen : null
    if (event.type === 'mouse') return point(event)
    ui.clearFlash()
    if (event.type === 'paste') top()?.input?.(event)
    else if (!early.hold(event)) pressKey(event)
  }
  const early = createEarlyKeys(ui, press)
  const point = createPointer(ui, press)
  return {
    press,
    settle: early.release,
    rest() {
      entered = null
    },
  }
}
