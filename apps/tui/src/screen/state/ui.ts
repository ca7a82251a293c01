import type { Cancel } from '@qd/core/api'
import type { Outcome, Resource, ResourceName, Screen as ScreenName, Tone } from '@qd/core/define'
import type { AppError, ErrorCode } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { undoMs } from '@qd/core/store'
import type { Io } from '../../base/io.ts'
import type { ScreenStyle } from '../terminal/screen-style.ts'
import type { Hold, Terminal } from '../terminal/terminal.ts'
import { createState } from './observed.ts'
import type { Area, Overlay, Screen } from './screen.ts'
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
  /** Of the terminal. */
  size: Area
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
  makeWorkspace(changes: Partial<Pick<Workspace, 'settings' | 'translator' | 'format'>>): Workspace
  quit(code: number): void
}

/** As its owner writes it. */
type Own = { -readonly [Key in keyof Ui]: Ui[Key] } & {
  overlays: readonly Overlay[]
  said: Said | null
  offered: Undo | null
  running: number
}

export function createUi(options: {
  io: Io
  terminal: Terminal
  style: ScreenStyle
  workspace: Workspace
  makeWorkspace: Ui['makeWorkspace']
  places: (ui: Ui) => Places
  onQuit(code: number): void
}): Ui {
  const { io, onQuit } = options
  let previous: readonly Screen[] | null = null
  const holds = new Map<Hold, { isSlow: boolean }>()
  let leave: Cancel = () => undefined

  /** Held keys go to what is in front now, even if it is something else (a password question). */
  const endHolds = () => {
    for (const hold of holds.keys()) hold.release({ keep: true })
    holds.clear()
  }
  const show = (next: readonly Screen[]) => {
    const before = ui.screen
    ui.stack = next
    const { screen } = ui
    if (screen !== before) {
      endHolds()
      // Enter first, so that a shared list isn’t released in between.
      const left = leave
      leave = screen?.enter() ?? (() => undefined)
      left()
    }
  }
  const ui: Own = createState<Own>({
    io,
    terminal: options.terminal,
    get places() {
      return places
    },
    size: { columns: options.terminal.columns, rows: options.terminal.rows },
    style: options.style,
    workspace: options.workspace,
    pending: null,
    stack: [],
    overlays: [],
    said: null,
    offered: null,
    running: 0,
    get screen() {
      return ui.stack.at(-1) ?? null
    },
    get overlay() {
      return ui.overlays.at(-1) ?? null
    },
    get flash() {
      const { said } = ui
      if (said?.until != null && said.until <= io.now()) ui.said = null
      else if (said?.connection && ui.workspace.loss() !== null) said.connection = 'lost'
      else if (said?.connection === 'lost') ui.said = null
      return ui.said
    },
    get undo() {
      if (ui.offered && ui.offered.until <= io.now()) ui.offered = null
      return ui.offered
    },
    get working() {
      return ui.running > 0
    },
    get waits() {
      return [...holds].some(([hold, { isSlow }]) => isSlow && !hold.isGivenUp)
    },
    push(screen) {
      if (ui.screen?.key !== screen.key) show([...ui.stack, screen])
    },
    pop() {
      if (ui.stack.length <= 1) return false
      show(ui.stack.slice(0, -1))
      return true
    },
    go(screen) {
      if (ui.stack.length === 1 && ui.screen === screen) return
      previous = ui.stack
      show([screen])
    },
    goPrevious() {
      if (!previous || previous.length === 0) return
      const next = previous
      previous = ui.stack
      show(next)
    },
    open(overlay) {
      ui.overlays = [...ui.overlays, overlay]
      endHolds()
    },
    close(overlay = ui.overlays.at(-1)) {
      if (!overlay || !ui.overlays.includes(overlay)) return
      ui.overlays = ui.overlays.filter((one) => one !== overlay)
      overlay.closed?.()
    },
    say(text, tone = 'plain') {
      ui.said = {
        text: plainText(text.slice(0, longestFlash)),
        tone,
        until: tone === 'bad' ? null : io.now() + flashMs,
      }
    },
    fail(error) {
      const { title, details, hint } = errorText(ui.workspace.translator, error)
      ui.say([title, ...details, ...(hint ? [hint] : [])].join(' · '), 'bad')
      if (ui.said && awayCodes.includes(error.code)) ui.said.connection = 'away'
    },
    offerUndo(offered) {
      const mine = { ...offered, until: io.now() + undoMs }
      ui.offered = mine
      ui.said = null
      return () => {
        if (ui.offered === mine) ui.offered = null
      }
    },
    takeUndo() {
      const taken = ui.undo
      ui.offered = null
      return taken
    },
    clearFlash() {
      if (ui.said?.until === null) ui.said = null
    },
    async during(work) {
      ui.running += 1
      try {
        return await work
      } finally {
        ui.running -= 1
      }
    },
    async bring(work, show) {
      const hold = options.terminal.hold()
      const state = createState({ isSlow: false })
      holds.set(hold, state)
      const cancelSlow = io.setTimer(() => {
        state.isSlow = true
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
      for (const overlay of [...ui.overlays].reverse()) ui.close(overlay)
      previous = null
      ui.offered = null
      ui.workspace = workspace
      show([])
      void old.close()
    },
    makeWorkspace: options.makeWorkspace,
    quit: onQuit,
  })
  const places = options.places(ui)
  return ui
}
