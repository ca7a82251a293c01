import { PassThrough } from 'node:stream'
import type { ScreenHost } from '../../base/io.ts'
import { createKeyDecoder, type KeyEvent } from './keys.ts'

const screen = { enter: '\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H', leave: '\u001b[?25h\u001b[?1049l' }
const paste = { enter: '\u001b[?2004h', leave: '\u001b[?2004l' }
const mouse = { enter: '\u001b[?1000h\u001b[?1006h', leave: '\u001b[?1006l\u001b[?1000l' }
const groundQuestion = '\u001b]11;?\u0007'

const [interruptByte, escapeByte] = ['\u0003', '\u001b']
const escapeWaitMs = 30
/** Longer than suspending takes. */
const suspendMs = 100

export type Terminal = ReturnType<typeof createTerminal>

export interface Loan {
  readonly typed: string
  /** Called when the program ends first. */
  whenTakenBack(listen: () => void): void
}

export type Hold = ReturnType<Terminal['hold']>

export interface TerminalMode {
  /** Without it, the terminal's own selection works (behaviour T-28). */
  readonly mouse: boolean
  /** Appends lines instead of drawing a screen (behaviour T-29). */
  readonly linear: boolean
}

export function createTerminal(
  host: Pick<ScreenHost, 'stdin' | 'stdout' | 'stop' | 'soon'>,
  setTimer: (run: () => void, ms: number) => () => void,
  mode: TerminalMode,
) {
  const { stdin, stdout } = host
  const enter = (mode.linear ? '' : screen.enter) + paste.enter + (mode.mouse ? mouse.enter : '')
  const leave = paste.leave + mouse.leave + (mode.linear ? '' : screen.leave)
  const decoder = createKeyDecoder()
  const listeners = new Set<(event: KeyEvent) => void>()
  const appliedListeners = new Set<() => void>()
  const holds = new Set<{ isGivenUp: boolean }>()
  const redraws = new Set<() => void>()
  let taken = false
  let isApplying = false
  let cancelFlush = () => {}
  let endLoan = () => {}

  /** One at a time: what a key opens is in front before the next is read. */
  const apply = (final = false) => {
    if (isApplying || !taken) return
    const event = holds.size > 0 ? null : decoder.next(final)
    if (event) {
      isApplying = true
      for (const listen of listeners) listen(event)
      return host.soon(() => {
        isApplying = false
        apply()
      })
    }
    for (const listen of appliedListeners) listen()
    if (holds.size > 0 || !decoder.waiting) return
    cancelFlush()
    cancelFlush = setTimer(() => apply(true), escapeWaitMs)
  }
  const giveUp = () => {
    if (holds.size === 0) return
    for (const hold of holds) hold.isGivenUp = true
    holds.clear()
    decoder.rest()
  }
  const read = (chunk: string) => {
    cancelFlush()
    if (holds.size > 0 && chunk.includes(interruptByte)) {
      giveUp()
      decoder.add(interruptByte)
    } else decoder.add(chunk)
    // A lone ESC is Escape, unless a sequence follows.
    if (holds.size > 0 && chunk === escapeByte) cancelFlush = setTimer(giveUp, escapeWaitMs)
    apply()
  }

  const terminal = {
    /** For Ink, which must not read keys itself. */
    inkStdin: Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: () => undefined,
      ref: () => undefined,
      unref: () => undefined,
    }) as unknown as NodeJS.ReadStream,
    stdin,
    stdout,
    get columns() {
      return stdout.columns || 80
    },
    get rows() {
      return stdout.rows || 24
    },
    /** More keys of the same chunk follow. */
    get keysWait() {
      return isApplying
    },
    /** Dropped while the terminal is lent. */
    write: (text: string) => void (taken && stdout.write(text)),
    askGround: () => void stdout.write(groundQuestion),
    /** Alternate screen, raw mode, bracketed paste. */
    take() {
      if (taken) return
      taken = true
      stdin.setRawMode(true)
      stdin.setEncoding('utf8')
      stdin.on('data', read)
      stdin.resume()
      stdout.write(enter)
    },
    /** Idempotent; also called on a crash. */
    giveBack() {
      endLoan()
      if (!taken) return
      taken = false
      cancelFlush()
      decoder.rest()
      stdin.off('data', read)
      try {
        stdin.setRawMode(false)
      } catch {}
      stdin.pause()
      stdout.write(leave)
    },
    /** Lends the terminal to an editor or shell. Input that came before goes to it as `typed`. */
    async lend<T>(run: (loan: Loan) => Promise<T>): Promise<T> {
      const typed = Buffer.from(decoder.rest()).toString('latin1')
      terminal.giveBack()
      let isOver = false
      try {
        return await run({
          typed,
          whenTakenBack(listen) {
            endLoan = () => {
              isOver = true
              listen()
            }
          },
        })
      } finally {
        endLoan = () => undefined
        if (!isOver) {
          terminal.take()
          terminal.redraw()
        }
      }
    },
    /** Holds keys until their target is in front. */
    hold() {
      const hold = { isGivenUp: false }
      holds.add(hold)
      return {
        get isGivenUp() {
          return hold.isGivenUp
        },
        /** Applies held keys; without `keep` drops them. Idempotent. */
        release({ keep }: { keep: boolean }) {
          if (!holds.delete(hold)) return
          if (!keep) decoder.rest()
          host.soon(() => apply())
        },
      }
    },
    /** Suspends the program like Ctrl+Z (behaviour T-08). */
    suspend() {
      terminal.giveBack()
      host.stop()
      // Runs on resume, or at once if nothing can suspend us.
      setTimer(() => {
        terminal.take()
        terminal.redraw()
      }, suspendMs)
    },
    /** The screen's content is unknown: redraw all. */
    redraw() {
      for (const listen of redraws) listen()
    },
    onRedraw: added(redraws),
    onKey: added(listeners),
    /** Called when all pending keys are applied, so that they share a frame. */
    onKeysApplied: added(appliedListeners),
  }
  return terminal
}

const added =
  <Listen>(listeners: Set<Listen>) =>
  (listen: Listen) => {
    listeners.add(listen)
    return () => listeners.delete(listen)
  }
