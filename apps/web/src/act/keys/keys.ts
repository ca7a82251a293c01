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
import { navigate } from '../places/navigate.ts'
import { answered, runCommand } from './commands.ts'
import { keyChoices } from './key-choices.ts'
import { holdsKey } from './typed-ahead.ts'

/** After this long a page that does not come gets no keys any more; what was typed for it is dropped. */
const timeoutMs = 10_000
const named = ['Enter', 'Escape', 'Delete', 'Backspace', 'Home', 'End', 'PageUp', 'PageDown']

/** Keys for a page that is on its way, in their order. */
let waiting: KeyboardEvent[] = []
let cancel = () => {}

/** True for a key that waits until the page on its way is on screen, so that it does not act on the page that is being left. */
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

/** Hands on what waits as soon as its page is on screen; a key that asks for another page lets the rest wait again. Returns the function that ends that. */
function handOnKeys(handle: (event: KeyboardEvent) => void): () => void {
  return onArrival(() => {
    cancel()
    const keys = waiting
    waiting = []
    for (const event of keys) handle(event)
  })
}

/** The key table of the page on screen. */
export function bindings(): readonly KeyBinding[] {
  const resource = pageResource()
  const { singleKeys, palette } = keyChoices()
  const all = keyTable(resource, 'web', {
    viewer: session.viewer(),
    singleKeys,
    changed: palette === null ? {} : { palette },
    files: openFiles() !== null,
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

/** Keycaps of a chord as the keyboards of the reader's language name them. */
export function capsOfChord(chord: string): readonly string[] {
  const { t } = texts()
  return chordText(chord, platform, (name) => t(`ui.keycaps.${name}`))
}

/** The first key of a sequence that was begun, for the hint strip; null else. */
export const pending$: Observable<string | null> = observable<string | null>(null)

/** What is on top and gets the keys. */
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

/** Does what a key says. An action runs on the rows of the page; the rest is answered by whoever is on screen. */
export function obey({ command, action }: Pick<KeyBinding, 'command' | 'action'>): void {
  if (runCommand(command)) return
  if (action) {
    const rows = pageRows()
    void perform(action, action.on === 'none' ? [] : rows)
  } else if (command.startsWith('go:')) {
    const resource = resourceByName(command.slice(3))
    if (resource) navigate(resource.path)
  } else if (command === 'public') location.assign('/')
  else if (command === 'undo') void undo()
  else if (command === 'palette') overlays$.palette.set((open) => (open ? null : { mode: 'all' }))
  else if (command === 'command') overlays$.palette.set({ mode: 'actions' })
  else if (command === 'rowActions') openOnRows('scope')
  else if (command === 'copyMenu') openOnRows('copy')
  else if (command === 'keys') overlays$.keys.set((open) => !open)
}

/** The palette with nothing but actions on the marked or focused rows, where there are any. */
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

/** Starts the one listener; it runs before every other (trap W2). Returns the function that stops it. */
export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    document.documentElement.dataset.keyboard = ''
    if (!holdsKey(event) && !waits(event) && (leavesAlone(event) || !dispatcher.handle(event))) return
    event.preventDefault()
    event.stopPropagation()
  }
  const stop = handOnKeys((event) => {
    if (holdsKey(event) || waits(event) || dispatcher.handle(event)) return
    // What went before has put the cursor into a field.
    if (event.key.length === 1 && isTyping()) document.execCommand('insertText', false, event.key)
  })
  addEventListener('keydown', listen, { capture: true })
  return () => {
    stop()
    removeEventListener('keydown', listen, { capture: true })
  }
}

const isTyping = (): boolean => document.activeElement?.matches(textual) ?? false

/** What has the focus, or lies over the page, is not left: its keys go on. */
const waits = (event: KeyboardEvent): boolean => layer() === 'page' && !isTyping() && waitsForPage(event)

/** Keys that belong to what has the focus: Enter and Space press it, Escape closes the layer that react-aria opened, and pasting is the browser's. */
function leavesAlone(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  if (key === 'Escape') return !['page', 'files'].includes(layer())
  if (chordFor(bindings(), 'paste') === chordOf(event)) return true
  if ((key !== 'Enter' && key !== ' ') || ctrlKey || metaKey || altKey) return false
  return document.activeElement?.matches(pressable) ?? false
}
