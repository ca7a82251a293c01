import { type Observable, observable } from '@legendapp/state'
import {
  type Command,
  chordFor,
  chordOf,
  chordText,
  createDispatcher,
  type KeyBinding,
  keyTable,
  type Layer,
} from '@qd/core/actions'
import { resourceByName } from '@qd/core/resources'
import { platform, ports } from '../../base/ports.ts'
import { openFiles } from '../../base/state/open-files.ts'
import { overlays$, questions } from '../../base/state/overlays.ts'
import { pageResource, pageRows } from '../../base/state/page.ts'
import { session } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'
import { perform, undo } from '../perform/lazy-perform.ts'
import { arrive, isUnderway, onArrival } from '../places/arrival.ts'
import { logsPath, navigate } from '../places/navigate.ts'
import { answered, runCommand } from './commands.ts'
import { keyChoices } from './key-choices.ts'
import { holdsKey } from './typed-ahead.ts'

/** Timeout after which keys typed for a page that doesn’t load are dropped. */
const timeoutMs = 10_000
const named = ['Enter', 'Escape', 'Delete', 'Backspace', 'Home', 'End', 'PageUp', 'PageDown']

let waiting: KeyboardEvent[] = []
let cancel = () => {}

/** Whether a key is held until the requested page is on screen, so that it doesn’t act on the page being left. */
function waitsForPage(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (!isUnderway() || ctrlKey || metaKey || altKey) return false
  if (key.length > 1 && !named.includes(key) && !key.startsWith('Arrow')) return false
  if (waiting.length === 0) cancel = ports.setTimer(giveUp, timeoutMs)
  waiting.push(event)
  return true
}

function giveUp(): void {
  waiting = []
  arrive(location.pathname)
}

/** Replays held keys when their page is on screen. A key that navigates again holds the rest. Returns the unsubscribe function. */
function handOnKeys(handle: (event: KeyboardEvent) => void): () => void {
  return onArrival(() => {
    cancel()
    const keys = waiting
    waiting = []
    for (const event of keys) handle(event)
  })
}

export function bindings(): readonly KeyBinding[] {
  const resource = pageResource()
  const { singleKeys, palette } = keyChoices()
  const all = keyTable(resource, 'web', {
    viewer: session.viewer(),
    singleKeys,
    changed: palette === null ? {} : { palette },
    files: openFiles() !== null,
    logs: answered.has('logFilter'),
  }).filter(({ chord }) => platform === 'mac' || !chord.startsWith('Meta+'))
  return resource?.wire.shape === 'one'
    ? all.filter(({ group, action, command }) => group !== 'list' || action !== null || answered.has(command))
    : all
}

/** Keycaps of a command in this platform's notation; empty if it has no key here. */
export function capsOf(command: Command): readonly string[] {
  const chord = chordFor(bindings(), command)
  return chord === null ? [] : capsOfChord(chord)
}

/** Keycaps of a chord, named as on keyboards of the current language. */
export function capsOfChord(chord: string): readonly string[] {
  const { t } = texts()
  return chordText(chord, platform, (name) => t(`ui.keycaps.${name}`))
}

export const pending$: Observable<string | null> = observable<string | null>(null)

export function layer(): Layer {
  const asked = questions.current()
  if (asked?.question.args === null || document.querySelector('[data-asks]')) return 'confirm'
  const { palette, form, keys } = overlays$.peek()
  if (palette) return 'palette'
  if (document.querySelector('[role="menu"], [role="listbox"]:not([data-trigger="ComboBox"] *)')) return 'menu'
  if (form || asked || document.activeElement?.closest('[data-form]')) return 'form'
  if (keys || document.querySelector('[role="dialog"]')) return 'menu'
  if (document.activeElement?.closest('[data-files]')) return 'files'
  return document.querySelector('[data-terminal]') ? 'terminal' : 'page'
}

const textual =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable="true"], [data-terminal]'
const pressable = 'button, a[href], [role="radio"], [role="columnheader"], input[type="checkbox"], summary'

/** Runs the command of a key. An action runs on the page’s rows; everything else goes to the handlers on screen. */
export function obey({ command, action }: Pick<KeyBinding, 'command' | 'action'>): void {
  if (runCommand(command)) return
  if (action) {
    const rows = pageRows()
    void perform(action, action.on === 'none' ? [] : rows)
  } else if (command.startsWith('go:')) {
    const resource = resourceByName(command.slice(3))
    if (resource) navigate(resource.path)
  } else if (command === 'public') location.assign('/')
  else if (command === 'logs') navigate(logsPath)
  else if (command === 'undo') void undo()
  else if (command === 'palette') overlays$.palette.set((open) => (open ? null : { mode: 'all' }))
  else if (command === 'command') overlays$.palette.set({ mode: 'actions' })
  else if (command === 'rowActions') openOnRows('scope')
  else if (command === 'copyMenu') openOnRows('copy')
  else if (command === 'keys') overlays$.keys.set((open) => !open)
}

function openOnRows(mode: 'scope' | 'copy'): void {
  if (pageRows().length > 0) overlays$.palette.set({ mode })
}

const dispatcher = createDispatcher({
  bindings,
  layer,
  isTyping: () => isTyping(),
  platform,
  clock: ports,
  onCommand: obey,
  onPending: (prefix) => pending$.set(prefix),
})

/** Starts the only key listener, ahead of every other (trap W2). Returns the function that stops it. */
export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    document.documentElement.dataset.keyboard = ''
    if (!holdsKey(event) && !waits(event) && (leavesAlone(event) || !dispatcher.handle(event))) return
    event.preventDefault()
    event.stopPropagation()
  }
  const stop = handOnKeys((event) => {
    if (holdsKey(event) || waits(event) || dispatcher.handle(event)) return
    if (event.key.length === 1 && isTyping()) document.execCommand('insertText', false, event.key)
  })
  addEventListener('keydown', listen, { capture: true })
  return () => {
    stop()
    removeEventListener('keydown', listen, { capture: true })
  }
}

const isTyping = (): boolean => document.activeElement?.matches(textual) ?? false

/** Keys aren’t held while a field has the focus or something lies over the page. */
const waits = (event: KeyboardEvent): boolean => layer() === 'page' && !isTyping() && waitsForPage(event)

/** Whether a key belongs to the focused element: Enter and Space press it, Escape closes a react-aria layer, paste is the browser’s. */
function leavesAlone(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key === 'Escape') return !['page', 'files'].includes(layer())
  if (chordFor(bindings(), 'paste') === chordOf(event)) return true
  if ((key !== 'Enter' && key !== ' ') || ctrlKey || metaKey || altKey) return false
  return document.activeElement?.matches(pressable) ?? false
}
