import type { Cancel } from '@qd/core/api'
import type { Resource, ResourceName, Screen as ScreenName, Tone } from '@qd/core/define'
import type { AppError, ErrorCode } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { undoMs } from '@qd/core/store'
import type { Io } from '../../base/io.ts'
import type { ScreenStyle } from '../terminal/screen-style.ts'
import type { Hold, Terminal } from '../terminal/terminal.ts'
import type { Overlay, Screen } from './screen.ts'
import type { Workspace } from './workspace.ts'

/** A message on the flash line. */
export interface Flash {
  readonly text: string
  readonly tone: Tone
  /** Epoch ms after which it is gone; null: until the next key. */
  readonly until: number | null
}

/** Something that `z` takes back. */
export interface Undo {
  readonly text: string
  readonly until: number
  run(): Promise<void>
}

/** That a server did not answer is over when the connection, once lost, is back. */
interface Said extends Flash {
  connection?: 'away' | 'lost'
}

/** Failures for which a server that does not answer is enough. */
const awayCodes: readonly ErrorCode[] = ['unreachable', 'timeout']
const flashMs = 8000
/** A wait that is shorter is not mentioned. */
const slowMs = 300
/** Signs of a message that are kept. */
const longestFlash = 1000

/** A form: of which entity, for what, and of which record. */
export interface FormPlace {
  readonly resource: ResourceName
  readonly mode: 'create' | 'edit' | 'duplicate'
  readonly id: number | null
}

/** The ways from one place of the program to another. */
export interface Places {
  /** Goes to the list of a resource, or to the form of one that has a single record. */
  goTo(resource: Resource): void
  /** The same with this filter. */
  /** `on`: the query over servers whose hosts are read, for records that live there. */
  filter(resource: Resource, text: string, on?: string): void
  /** Opens a form; `values` stand in it over the initial ones. `onSaved` hears the id of what was saved, where it is known, when the form has gone. */
  openForm(
    place: FormPlace,
    values?: Readonly<Record<string, unknown>>,
    onSaved?: (id: number | null) => void,
  ): Promise<void>
  openRecord(resource: ResourceName, id: number): void
  /** Opens a screen that is no list, form or record; `others` stand beside the record there. */
  openScreen(screen: ScreenName, id: number | null, others?: readonly number[]): void
}

/** The state of the program: where it is, what lies over it, what it says. One exists. */
export interface Ui {
  readonly io: Io
  readonly terminal: Terminal
  readonly places: Places
  style: ScreenStyle
  workspace: Workspace
  /** From the first list to the place on screen. */
  readonly stack: readonly Screen[]
  readonly screen: Screen | null
  readonly overlay: Overlay | null
  readonly flash: Flash | null
  readonly undo: Undo | null
  /** First key of a sequence that was begun. */
  pending: string | null
  /** Runs are under way: the spinner turns. */
  readonly working: boolean
  /** Keys wait for what comes in front, long enough to say so. */
  readonly waits: boolean
  changed(): void
  /** Goes deeper; where it is already there, nothing happens (Enter pressed twice). */
  push(screen: Screen): void
  /** One level back; false at the first list. */
  pop(): boolean
  /** Another first list. */
  go(screen: Screen): void
  goPrevious(): void
  open(overlay: Overlay): void
  close(overlay?: Overlay): void
  say(text: string, tone?: Tone): void
  fail(error: AppError): void
  /** The answer takes the offer away, where it still stands. */
  offerUndo(undo: Omit<Undo, 'until'>): Cancel
  takeUndo(): Undo | null
  clearFlash(): void
  /** Shows that something runs until it is over. */
  during<Value>(work: Promise<Value>): Promise<Value>
  /**
   * Brings something in front that must be waited for. Keys wait with it and go to what `show` shows. Null if the user gave up waiting
   * (Escape, Ctrl+C). Errors: those of `work`; the keys are dropped then, because what they were for never came.
   */
  bring<Value, Shown>(work: Promise<Value>, show: (value: Value) => Shown | Promise<Shown>): Promise<Shown | null>
  /** Another connection: everything of the old one goes. */
  setWorkspace(workspace: Workspace): void
  /** Calls after each change of the connection. */
  onWorkspace(listen: () => void): void
  /** Builds a workspace for other settings or another language; what is not given stays as it is. */
  makeWorkspace(changes: Partial<Pick<Workspace, 'settings' | 'translator' | 'format'>>): Workspace
  quit(code: number): void
}

/** Builds the state. `onChange` draws. */
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

  /** What is in front now takes the keys, also if it is something else than what they waited for (a password). */
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
      // The new place asks first, so that a list both need is not let go in between.
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
      overlay.closed()
      ui.changed()
    },
    say(text, tone = 'plain') {
      // The flash line shows one line only.
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
        // Not awaited: keys go to what is shown, not to what comes after it.
        const shown = show(value)
        isShown = true
        return shown
      } catch (thrown) {
        // What was given up on may fail without a word.
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
