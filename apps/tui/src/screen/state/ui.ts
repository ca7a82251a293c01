import type { Cancel } from '@qd/core/api'
import type { Outcome, Resource, ResourceName, Screen as ScreenName, Tone } from '@qd/core/define'
import type { AppError, ErrorCode } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { undoMs } from '@qd/core/store'
import type { Io } from '../../base/io.ts'
import type { ScreenStyle } from '../terminal/screen-style.ts'
import type { Hold, Terminal } from '../terminal/terminal.ts'
import type { Overlay, Screen } from './screen.ts'
import type { Workspace } from './workspace.ts'

export interface Flash {
  readonly text: string
  readonly tone: Tone
  /** Epoch ms; null: until the next key. */
  readonly until: number | null
}

export interface Undo {
  readonly text: string
  readonly until: number
  run(): Promise<void>
}

/** Obsolete once a lost connection is back. */
interface Said extends Flash {
  connection?: 'away' | 'lost'
}

/** Errors explained by an unreachable server. */
const awayCodes: readonly ErrorCode[] = ['unreachable', 'timeout']
const flashMs = 8000
const slowMs = 300
const longestFlash = 1000

/** What stands beside the record that a screen opens. */
export type OpenMore = Pick<Extract<Outcome, { kind: 'open' }>, 'others' | 'inside' | 'query'>

export interface FormPlace {
  readonly resource: ResourceName
  readonly mode: 'create' | 'edit' | 'duplicate'
  readonly id: number | null
}

export interface Places {
  goTo(resource: Resource): void
  /** `on`: the query over servers whose hosts are read, for records that live there. */
  filter(resource: Resource, text: string, on?: string): void
  /** `values` override the initial ones. `onSaved` gets the saved id, if known, after the form has closed. */
  openForm(
    place: FormPlace,
    values?: Readonly<Record<string, unknown>>,
    onSaved?: (id: number | null) => void,
  ): Promise<void>
  openRecord(resource: ResourceName, id: number): void
  openScreen(screen: ScreenName, id: number | null, more?: OpenMore): void
}

export interface Ui {
  readonly io: Io
  readonly terminal: Terminal
  readonly places: Places
  style: ScreenStyle
  workspace: Workspace
  readonly stack: readonly Screen[]
  readonly screen: Screen | null
  readonly overlay: Overlay | null
  readonly flash: Flash | null
  readonly undo: Undo | null
  pending: string | null
  readonly working: boolean
  /** Keys have waited for a screen long enough to say so. */
  readonly waits: boolean
  changed(): void
  /** Goes deeper; ignored if already there (Enter pressed twice). */
  push(screen: Screen): void
  pop(): boolean
  go(screen: Screen): void
  goPrevious(): void
  open(overlay: Overlay): void
  close(overlay?: Overlay): void
  say(text: string, tone?: Tone): void
  fail(error: AppError): void
  /** Returns the function that withdraws the offer. */
  offerUndo(undo: Omit<Undo, 'until'>): Cancel
  takeUndo(): Undo | null
  clearFlash(): void
  during<Value>(work: Promise<Value>): Promise<Value>
  /**
   * Opens something that must be awaited. Keys wait and go to what `show` shows. Null if the user canceled (Escape,
   * Ctrl+C). Errors: those of `work`; then the keys are dropped.
   */
  bring<Value, Shown>(work: Promise<Value>, show: (value: Value) => Shown | Promise<Shown>): Promise<Shown | null>
  setWorkspace(workspace: Workspace): void
  onWorkspace(listen: () => void): void
  makeWorkspace(changes: Partial<Pick<Workspace, 'settings' | 'translator' | 'format'>>): Workspace
  quit(code: number): void
}

export function createUi(options: {
  io: Io
  terminal: Terminal
  style: ScreenStyle
  workspace: Workspace
  makeWorkspace: Ui['makeWorkspace']
  places: (ui: Ui) => Places
  onChange(): void
  onQuit(code: number): void
}): Ui {
  const { io, onChange, onQuit } = options
  let stack: readonly Screen[] = []
  let previous: readonly Screen[] | null = null
  let overlays: readonly Overlay[] = []
  let flash: Said | null = null
  let undo: Undo | null = null
  let running = 0
  const holds = new Map<Hold, { isSlow: boolean }>()
  const workspaceListeners = new Set<() => void>()
  let leave: Cancel = () => undefined

  /** Held keys go to what is in front now, even if it is something else (a password question). */
  const endHolds = () => {
    for (const hold of holds.keys()) hold.release({ keep: true })
    holds.clear()
  }
  const show = (next: readonly Screen[]) => {
    const before = stack.at(-1)
    stack = next
    const screen = stack.at(-1)
    if (screen !== before) {
      endHolds()
      // Enter first, so that a shared list isn’t released in between.
      const left = leave
      leave = screen?.enter() ?? (() => undefined)
      left()
    }
    ui.changed()
  }
  const ui: Ui = {
    io,
    terminal: options.terminal,
    get places() {
      return places
    },
    style: options.style,
    workspace: options.workspace,
    pending: null,
    get stack() {
      return stack
    },
    get screen() {
      return stack.at(-1) ?? null
    },
    get overlay() {
      return overlays.at(-1) ?? null
    },
    get flash() {
      if (flash?.until != null && flash.until <= io.now()) flash = null
      if (!flash?.connection) return flash
      if (ui.workspace.loss() !== null) flash.connection = 'lost'
      else if (flash.connection === 'lost') flash = null
      return flash
    },
    get undo() {
      if (undo && undo.until <= io.now()) undo = null
      return undo
    },
    get working() {
      return running > 0
    },
    get waits() {
      return [...holds].some(([hold, { isSlow }]) => isSlow && !hold.isGivenUp)
    },
    changed: onChange,
    push: (screen) => (stack.at(-1)?.key === screen.key ? ui.changed() : show([...stack, screen])),
    pop() {
      if (stack.length <= 1) return false
      show(stack.slice(0, -1))
      return true
    },
    go(screen) {
      if (stack.length === 1 && stack[0] === screen) return ui.changed()
      previous = stack
      show([screen])
    },
    goPrevious() {
      if (!previous || previous.length === 0) return
      const next = previous
      previous = stack
      show(next)
    },
    open(overlay) {
      overlays = [...overlays, overlay]
      endHolds()
      ui.changed()
    },
    close(overlay = overlays.at(-1)) {
      if (!overlay || !overlays.includes(overlay)) return
      overlays = overlays.filter((one) => one !== overlay)
      overlay.closed?.()
      ui.changed()
    },
    say(text, tone = 'plain') {
      flash = { text: plainText(text.slice(0, longestFlash)), tone, until: tone === 'bad' ? null : io.now() + flashMs }
      ui.changed()
    },
    fail(error) {
      const { title, details, hint } = errorText(ui.workspace.translator, error)
      ui.say([title, ...details, ...(hint ? [hint] : [])].join(' · '), 'bad')
      if (flash && awayCodes.includes(error.code)) flash.connection = 'away'
    },
    offerUndo(offered) {
      const mine = { ...offered, until: io.now() + undoMs }
      undo = mine
      flash = null
      ui.changed()
      return () => {
        if (undo === mine) undo = null
        ui.changed()
      }
    },
    takeUndo() {
      const taken = ui.undo
      undo = null
      ui.changed()
      return taken
    },
    clearFlash() {
      if (flash?.until === null) flash = null
    },
    async during(work) {
      running += 1
      ui.changed()
      try {
        return await work
      } finally {
        running -= 1
        ui.changed()
      }
    },
    async bring(work, show) {
      const hold = options.terminal.hold()
      const state = { isSlow: false }
      holds.set(hold, state)
      const cancelSlow = io.setTimer(() => {
        state.isSlow = true
        ui.changed()
      }, slowMs)
      let isShown = false
      try {
        const value = await ui.during(work)
        if (hold.isGivenUp) return null
        // Not awaited: keys go to what is shown, not to what follows.
        const shown = show(value)
        isShown = true
        return shown
      } catch (thrown) {
        if (hold.isGivenUp) return null
        throw thrown
      } finally {
        cancelSlow()
        hold.release({ keep: isShown })
        holds.delete(hold)
      }
    },
    setWorkspace(workspace) {
      const old = ui.workspace
      for (const overlay of [...overlays].reverse()) ui.close(overlay)
      previous = null
      undo = null
      ui.workspace = workspace
      show([])
      for (const listen of workspaceListeners) listen()
      void old.close()
    },
    onWorkspace: (listen) => void workspaceListeners.add(listen),
    makeWorkspace: options.makeWorkspace,
    quit: onQuit,
  }
  const places = options.places(ui)
  return ui
}
