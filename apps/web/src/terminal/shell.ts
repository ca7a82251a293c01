import type { ShellPlace } from '@qd/core/define'
import {
  createOutputQueue,
  createTerminalSession,
  modesOff,
  type Paste,
  readPaste,
  type TerminalDivider,
  type TerminalState,
} from '@qd/core/shells'
import type { TerminalSize } from '@qd/protocol/stream-frames'
import { copyText, ports } from '../base/ports.ts'
import { notify, unsay } from '../base/state/overlays.ts'
import { client } from '../base/state/stores.ts'
import { texts } from '../base/state/texts.ts'
import { type Choices, readChoices, saveChoices } from './choices.ts'
import { readHostClipboard } from './host-clipboard.ts'
import { noneHeld, type OneShot, withHeld } from './one-shot.ts'
import { createScreen, type Screen, type SearchResult } from './screen.ts'

const interrupt = '\u0003'

export type TerminalQuestion = { kind: 'paste'; paste: Paste } | { kind: 'host'; text: string }

export interface ShellView {
  state: TerminalState
  size: TerminalSize
  choices: Choices
  held: OneShot
  link: string | null
  found: SearchResult | null
  asked: TerminalQuestion | null
}

export interface Shell {
  screen: Screen
  reconnect(): void
  type(keys: string): void
  paste(text: string): void
  copy(): Promise<void>
  choose(change: Partial<Choices>): void
  hold(held: OneShot): void
  answer(goOn: boolean): void
  close(): void
}

export const emptyView = (): ShellView => ({
  state: { status: 'opening' },
  size: { cols: 80, rows: 24 },
  choices: readChoices(),
  held: noneHeld,
  link: null,
  found: null,
  asked: null,
})

export function createShell(
  element: HTMLElement,
  { server, inside }: { server: number; inside: ShellPlace | undefined },
  onView: (view: ShellView) => void,
): Shell {
  let view = emptyView()
  const change = (part: Partial<ShellView>) => {
    view = { ...view, ...part }
    onView(view)
  }
  const { t } = texts()
  const screen = createScreen({
    element,
    choices: view.choices,
    texts: { input: t('ui.terminal.input'), tooMuch: t('ui.terminal.tooMuch') },
    onLink: (link) => change({ link }),
    onResult: (found) => change({ found }),
  })
  const { terminal } = screen
  const rule = (text: string) => new TextEncoder().encode(`\r\n\u001b[0;90m── ${text} ──\u001b[0m\r\n`)
  const queue = createOutputQueue({
    write: (bytes, done) => terminal.write(bytes, done),
    onSkipped: (bytes) => terminal.write(rule(texts().t('ui.terminal.skipped', { size: texts().format.bytes(bytes) }))),
  })
  screen.fit()
  const session = createTerminalSession({
    server,
    inside,
    api: client,
    ports,
    baseUrl: location.origin,
    capabilities: client.capabilities,
    size: terminal,
    onOutput: (bytes) => queue.push(bytes),
    onState(state) {
      // Once per loss; the strip says when the next try is.
      if (state.status === 'lost' && view.state.status !== 'lost')
        notify({ tone: 'bad', title: texts().t('ui.terminal.websocketError'), about: 'websocket' })
      else if (state.status === 'live') unsay('websocket')
      change({ state })
    },
    onDivider(divider) {
      if (divider.shell === 'new') queue.push(new TextEncoder().encode(modesOff))
      queue.push(rule(dividerText(divider)))
    },
  })
  const send = (paste: Paste) => {
    session.paste(paste, { bracketed: terminal.modes.bracketedPasteMode })
    terminal.scrollToBottom()
  }
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    shell.paste(event.clipboardData?.getData('text/plain') ?? '')
  }
  const fitting = new ResizeObserver(() => screen.fit())
  const events = [
    terminal.onData((typed) => {
      const data = withHeld(typed, view.held)
      if (data === interrupt) queue.skip()
      session.input(data)
      if (view.held.ctrl || view.held.alt) change({ held: noneHeld })
    }),
    terminal.onBinary((data) => session.input(Uint8Array.from(data, (character) => character.charCodeAt(0)))),
    terminal.onResize((size) => {
      session.resize(size)
      change({ size })
    }),
    terminal.onSelectionChange(() => {
      if (view.choices.copyOnSelect && terminal.hasSelection()) void copyText(terminal.getSelection())
    }),
    terminal.parser.registerOscHandler(52, (sequence) => {
      const text = view.choices.hostClipboard ? readHostClipboard(sequence) : null
      if (text !== null) change({ asked: { kind: 'host', text } })
      return true
    }),
  ]
  const shell: Shell = {
    screen,
    reconnect: session.reconnect,
    type(keys) {
      session.input(keys)
      terminal.focus()
    },
    paste(text) {
      const { t, format } = texts()
      const paste = readPaste(text, { bracketed: terminal.modes.bracketedPasteMode })
      if (text === '') notify({ tone: 'warn', title: t('ui.toast.textEmpty') })
      else if (paste.isTooLarge)
        notify({ tone: 'bad', title: t('ui.terminal.paste.tooLarge', { size: format.bytes(paste.bytes) }) })
      else if (paste.runsLines) change({ asked: { kind: 'paste', paste } })
      else send(paste)
    },
    async copy() {
      const { t } = texts()
      const text = terminal.getSelection()
      if (text === '') notify({ tone: 'warn', title: t('ui.toast.textEmpty') })
      else if (!(await copyText(text))) notify({ tone: 'bad', title: t('ui.toast.notCopied') })
      terminal.focus()
    },
    choose(part) {
      const choices = { ...view.choices, ...part }
      saveChoices(choices)
      screen.choose(choices)
      change({ choices })
    },
    hold(held) {
      change({ held })
      terminal.focus()
    },
    answer(goOn) {
      const { asked } = view
      change({ asked: null })
      if (goOn && asked?.kind === 'paste') send(asked.paste)
      if (goOn && asked?.kind === 'host') void copyText(asked.text)
      terminal.focus()
    },
    close() {
      session.close()
      fitting.disconnect()
      element.removeEventListener('paste', onPaste, { capture: true })
      for (const event of events) event.dispose()
      screen.dispose()
    },
  }
  fitting.observe(element)
  element.addEventListener('paste', onPaste, { capture: true })
  void document.fonts.ready.then(() => screen.fit())
  change({ size: { cols: terminal.cols, rows: terminal.rows } })
  session.start()
  terminal.focus()
  return shell
}

function dividerText({ shell, after, partedAt, at }: TerminalDivider): string {
  const { t, format } = texts()
  const times = { lost: format.clock(partedAt), time: format.clock(at) }
  if (shell === 'same') return t('ui.terminal.divider.same', times)
  return t(after === 'lost' ? 'ui.terminal.divider.lost' : 'ui.terminal.divider.ended', times)
}
