import { PassThrough } from 'node:stream'
import type { ScreenHost } from '../../base/io.ts'
import { createKeyDecoder, type KeyEvent } from './keys.ts'

const screen = { enter: '\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H', leave: '\u001b[?25h\u001b[?1049l' }
const paste = { enter: '\u001b[?2004h', leave: '\u001b[?2004l' }
/** Presses and the wheel, in numbers of any size (modes 1000 and 1006); always ended, whoever began them. */
const mouse = { enter: '\u001b[?1000h\u001b[?1006h', leave: '\u001b[?1006l\u001b[?1000l' }
/** Asks for the colour of the ground (OSC 11). */
const groundQuestion = '\u001b]11;?\u0007'

const [interruptByte, escapeByte] = ['\u0003', '\u001b']
/** How long a lone escape byte waits for the rest of a sequence. */
const escapeWaitMs = 30
/** Longer than the system takes to stop a process that asked for it. */
const suspendMs = 100

/** A terminal taken over for a full-screen program: keys in, frames out, and everything given back at the end. */
export interface Terminal {
  /** For Ink, which must not read the keys itself: its chunks are not keys. */
  readonly inkStdin: NodeJS.ReadStream
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly columns: number
  readonly rows: number
  /** Writes, unless somebody else has the terminal now. */
  write(text: string): void
  /** Asks the terminal for the colour of its ground; the answer comes as an event. */
  askGround(): void
  /** Takes the screen: alternate screen, raw mode, bracketed paste. */
  take(): void
  /** Gives everything back; may be called twice and from a crash. */
  giveBack(): void
  /**
   * Lends the real terminal to another program (an editor, a shell) and takes it again. Keys that were typed for that program already are
   * never ours: it gets them as `typed`, if it can take them.
   */
  lend<T>(run: (loan: Loan) => Promise<T>): Promise<T>
  /** Keeps keys waiting until what they are for is in front. */
  hold(): Hold
  /** Stops the whole program, as Ctrl+Z does, until the shell lets it go on (behaviour T-08). */
  suspend(): void
  /** The whole screen must be drawn again: another program wrote on it, or its content is unknown. */
  redraw(): void
  onRedraw(listen: () => void): () => void
  onKey(listen: (event: KeyEvent) => void): () => void
  /** True between keys that came together. */
  readonly keysWait: boolean
  /** Calls when all keys that had come are applied, so that they share a frame. */
  onKeysApplied(listen: () => void): () => void
}

/** A terminal that is lent. */
export interface Loan {
  /** What was typed before the loan and not read, as bytes in latin1. */
  readonly typed: string
  /** Called when the program ends before the borrower has. */
  whenTakenBack(listen: () => void): void
}

/** A wait for what comes in front. */
export interface Hold {
  /** True after Escape or Ctrl+C: what is awaited must not come in front anymore. */
  readonly isGivenUp: boolean
  /** Applies the keys that waited; without `keep` they are dropped, because what they were for never came. Nothing the second time. */
  release(options: { keep: boolean }): void
}

/** How a terminal is taken. */
export interface TerminalMode {
  /** Tells of the mouse; without it the terminal's own selection works (behaviour T-28). */
  readonly mouse: boolean
  /** Writes lines one below the other, on the screen that is there (behaviour T-29). */
  readonly linear: boolean
}

/** Makes a terminal of the program's streams. */
export function createTerminal(
  host: Pick<ScreenHost, 'stdin' | 'stdout' | 'stop' | 'soon'>,
  setTimer: (run: () => void, ms: number) => () => void,
  mode: TerminalMode,
): Terminal {
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

  /** One key at a time: what a key leads to is in front before the next one is read. */
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
    // A lone escape byte is the key, unless the rest of a sequence follows.
    if (holds.size > 0 && chunk === escapeByte) cancelFlush = setTimer(giveUp, escapeWaitMs)
    apply()
  }

  const terminal: Terminal = {
    inkStdin: Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: () => terminal.inkStdin,
      ref: () => terminal.inkStdin,
      unref: () => terminal.inkStdin,
    }) as unknown as NodeJS.ReadStream,
    stdin,
    stdout,
    get columns() {
      return stdout.columns || 80
    },
    get rows() {
      return stdout.rows || 24
    },
    get keysWait() {
      return isApplying
    },
    write: (text) => void (taken && stdout.write(text)),
    askGround: () => void stdout.write(groundQuestion),
    take() {
      if (taken) return
      taken = true
      stdin.setRawMode(true)
      stdin.setEncoding('utf8')
      stdin.on('data', read)
      stdin.resume()
      stdout.write(enter)
    },
    giveBack() {
      endLoan()
      if (!taken) return
      taken = false
      cancelFlush()
      decoder.rest()
      stdin.off('data', read)
      try {
        stdin.setRawMode(false)
      } catch {
        // The terminal is gone, with whatever it was set to.
      }
      stdin.pause()
      stdout.write(leave)
    },
    async lend(run) {
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
    hold() {
      const hold = { isGivenUp: false }
      holds.add(hold)
      return {
        get isGivenUp() {
          return hold.isGivenUp
        },
        release({ keep }) {
          if (!holds.delete(hold)) return
          if (!keep) decoder.rest()
          host.soon(() => apply())
        },
      }
    },
    suspend() {
      terminal.giveBack()
      host.stop()
      // Runs when the program goes on; at once where there is no shell that could stop it.
      setTimer(() => {
        terminal.take()
        terminal.redraw()
      }, suspendMs)
    },
    redraw() {
      for (const listen of redraws) listen()
    },
    onRedraw(listen) {
      redraws.add(listen)
      return () => redraws.delete(listen)
    },
    onKey(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    onKeysApplied(listen) {
      appliedListeners.add(listen)
      return () => appliedListeners.delete(listen)
    },
  }
  return terminal
}
