import type { Cancel } from '@qd/core/api'
import type { Outcome, Resource, ResourceName, Screen as ScreenName, Tone } from '@qd/core/define'
import { type AppError, type ErrorCode, toAppError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorLines } from '@qd/core/i18n'
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

export type Ui = ReturnType<typeof createUi>

export function createUi(options: {
  io: Io
  terminal: Terminal
  style: ScreenStyle
  workspace: Workspace
  makeWorkspace(changes: Partial<Pick<Workspace, 'settings' | 'translator' | 'format'>>): Workspace
  places: (ui: Ui) => Places
  onQuit(code: number): void
}) {
  const { io, onQuit } = options
  let previous: readonly Screen[] | null = null
  const holds = new Map<Hold, { isSlow: boolean }>()
  let leave: Cancel = () => undefined

  /** Held keys go to what is in front now, even if it is something else (a password question). */
  const endHolds = () => {
    for (const hold of holds.keys()) hold.release({ keep: true })
    holds.clear()
  }
  const show = (next: readonly Screen[]): void => {
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
  const ui = createState({
    io,
    terminal: options.terminal,
    get places(): Places {
      return places
    },
    /** Of the terminal. */
    size: { columns: options.terminal.columns, rows: options.terminal.rows } as Area,
    style: options.style,
    workspace: options.workspace,
    pending: null as string | null,
    stack: [] as readonly Screen[],
    overlays: [] as readonly Overlay[],
    said: null as Said | null,
    offered: null as Undo | null,
    running: 0,
    get screen(): Screen | null {
      return ui.stack.at(-1) ?? null
    },
    get overlay(): Overlay | null {
      return ui.overlays.at(-1) ?? null
    },
    get flash(): Flash | null {
      const { said } = ui
      if (said?.until != null && said.until <= io.now()) ui.said = null
      else if (said?.connection && ui.workspace.loss() !== null) said.connection = 'lost'
      else if (said?.connection === 'lost') ui.said = null
      return ui.said
    },
    get undo(): Undo | null {
      const until = ui.workspace.runner.undo$.get()?.until
      return ui.offered?.until === until ? ui.offered : null
    },
    get working(): boolean {
      return ui.running > 0
    },
    /** Keys have waited for a screen long enough to say so. */
    get waits(): boolean {
      return [...holds].some(([hold, { isSlow }]) => isSlow && !hold.isGivenUp)
    },
    /** Goes deeper; ignored if already there (Enter pressed twice). */
    push(screen: Screen): void {
      if (ui.screen?.key !== screen.key) show([...ui.stack, screen])
    },
    pop(): boolean {
      if (ui.stack.length <= 1) return false
      show(ui.stack.slice(0, -1))
      return true
    },
    go(screen: Screen): void {
      if (ui.stack.length === 1 && ui.screen === screen) return
      previous = ui.stack
      show([screen])
    },
    goPrevious(): void {
      if (!previous || previous.length === 0) return
      const next = previous
      previous = ui.stack
      show(next)
    },
    open(overlay: Overlay): void {
      ui.overlays = [...ui.overlays, overlay]
      endHolds()
    },
    close(overlay: Overlay | null = ui.overlay): void {
      if (!overlay || !ui.overlays.includes(overlay)) return
      ui.overlays = ui.overlays.filter((one) => one !== overlay)
      overlay.closed?.()
    },
    say(text: string, tone: Tone = 'plain'): void {
      ui.said = {
        text: plainText(text.slice(0, longestFlash)),
        tone,
        until: tone === 'bad' ? null : io.now() + flashMs,
      }
    },
    fail(error: AppError): void {
      ui.say(errorLines(ui.workspace.translator, error).join(' · '), 'bad')
      if (ui.said && awayCodes.includes(error.code)) ui.said.connection = 'away'
    },
    /** Shows what the runner can undo now, until it can’t. */
    offerUndo(text: string): void {
      const state = ui.workspace.runner.undo$.peek()
      ui.offered = state && { text, until: state.until }
      ui.said = null
    },
    clearFlash(): void {
      if (ui.said?.until === null) ui.said = null
    },
    /** Says what fails. */
    async trying(work: () => Promise<unknown>): Promise<void> {
      try {
        await work()
      } catch (thrown) {
        ui.fail(toAppError(thrown))
      }
    },
    async during<Value>(work: Promise<Value>): Promise<Value> {
      ui.running += 1
      try {
        return await work
      } finally {
        ui.running -= 1
      }
    },
    /**
     * Opens something that must be awaited. Keys wait and go to what `show` shows. Null if the user canceled (Escape,
     * Ctrl+C). Errors: those of `work`; then the keys are dropped.
     */
    async bring<Value, Shown>(
      work: Promise<Value>,
      show: (value: Value) => Shown | Promise<Shown>,
    ): Promise<Shown | null> {
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
    setWorkspace(workspace: Workspace): void {
      const old = ui.workspace
      for (const overlay of [...ui.overlays].reverse()) ui.close(overlay)
      previous = null
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
