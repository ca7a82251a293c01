import { PassThrough } from 'node:stream'
import type { ScreenHost } from '../io.ts'
import { createKeyDecoder, type KeyEvent } from './keys.ts'

const screen = { enter: '\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H', leave: '\u001b[?25h\u001b[?1049l' }
const paste = { enter: '\u001b[?2004h', leave: '\u001b[?2004l' }
/** Presses and the wheel, in numbers of any size (modes 1000 and 1006); always ended, whoever began them. */
const mouse = { enter: '\u001b[?1000h\u001b[?1006h', leave: '\u001b[?1006l\u001b[?1000l' }
/** Asks for the colour of the ground (OSC 11). */
const groundQuestion = '\u001b]11;?\u0007'

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
   * Lends the real terminal to another program (an editor, a shell) and takes it again. `whenTakenBack` is called when the program ends
   * before the other one has.
   */
  lend<T>(run: (whenTakenBack: (listen: () => void) => void) => Promise<T>): Promise<T>
  /** Stops the whole program, as Ctrl+Z does, until the shell lets it go on (behaviour T-08). */
  suspend(): void
  /** The whole screen must be drawn again: another program wrote on it, or its content is unknown. */
  redraw(): void
  onRedraw(listen: () => void): () => void
  onKey(listen: (event: KeyEvent) => void): () => void
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
  host: Pick<ScreenHost, 'stdin' | 'stdout' | 'stop'>,
  setTimer: (run: () => void, ms: number) => () => void,
  mode: TerminalMode,
): Terminal {
  const { stdin, stdout } = host
  const enter = (mode.linear ? '' : screen.enter) + paste.enter + (mode.mouse ? mouse.enter : '')
  const leave = paste.leave + mouse.leave + (mode.linear ? '' : screen.leave)
  const decoder = createKeyDecoder()
  const listeners = new Set<(event: KeyEvent) => void>()
  const redraws = new Set<() => void>()
  let taken = false
  let cancelFlush = () => {}
  let endLoan = () => {}

  const emit = (events: readonly KeyEvent[]) => {
    for (const event of events) for (const listen of listeners) listen(event)
  }
  const read = (chunk: string) => {
    cancelFlush()
    emit(decoder.push(chunk))
    if (decoder.waiting) cancelFlush = setTimer(() => emit(decoder.flush()), escapeWaitMs)
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
      terminal.giveBack()
      let isOver = false
      try {
        return await run((listen) => {
          endLoan = () => {
            isOver = true
            listen()
          }
        })
      } finally {
        endLoan = () => undefined
        if (!isOver) {
          terminal.take()
          terminal.redraw()
        }
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
  }
  return terminal
}
