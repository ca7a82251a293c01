import { jitteredBackoffMs, reconnectBackoff } from '@qd/protocol/backoff'
import { parseExit, parseStreamClose, type StreamEnd, terminalProtocol } from '@qd/protocol/stream-close'
import { keepaliveFrame, type TerminalSize, toInputFrame, toResizeFrame } from '@qd/protocol/stream-frames'
import * as z from 'zod'
import type { Clock } from '../actions/index.ts'
import type { Cancel, Ports, Socket } from '../api/index.ts'
import { type ApiPort, lazy, plainText, type ShellPlace, shapeFaults } from '../define/index.ts'
import { AppError, toAppError } from '../errors.ts'

/** `lost`: reconnects at `retryAt`. `refused`: no shell could be opened. `ended`: a key press opens another shell. Times are epoch ms. */
export type TerminalState =
  | { status: 'opening' }
  | { status: 'live'; since: number }
  | { status: 'lost'; lostAt: number; retryAt: number; attempt: number }
  | { status: 'refused'; error: AppError }
  | { status: 'ended'; reason: StreamEnd; exit: number | null; at: number }

/** The gap between two connections, to a new shell or the same one. Times are epoch ms. */
export interface TerminalDivider {
  shell: 'new' | 'same'
  after: 'lost' | 'ended'
  partedAt: number
  at: number
}

/** A shell on a server. */
export interface TerminalSession {
  start(): void
  /** Without a shell only Enter has an effect: it opens one. */
  input(data: Uint8Array | string): void
  /** False, without sending anything, if the paste is too large or there is no shell. */
  paste(paste: Paste, options: { bracketed: boolean }): boolean
  resize(size: TerminalSize): void
  /** Skips the countdown; after the end opens a new shell. */
  reconnect(): void
  /** Ends the shell and all callbacks. */
  close(): void
}

/** Output is raw bytes: a character may be split. */
export interface TerminalOptions {
  server: number
  /** The record on the server in which the shell runs. */
  inside?: ShellPlace | undefined
  api: ApiPort
  ports: Pick<Ports, 'openSocket' | 'now' | 'random' | 'setTimer'>
  /** http or https origin of the server, perhaps with a path. */
  baseUrl: string
  headers?(): Readonly<Record<string, string>>
  capabilities(): Promise<readonly string[]>
  size: TerminalSize
  onOutput(bytes: Uint8Array): void
  onState(state: TerminalState): void
  onDivider(divider: TerminalDivider): void
}

/** How long servers with re-attach keep a shell. */
const reattachWithinMs = 60_000
const beatMs = 30_000
/** A re-attached shell may be silent; by then the server would have refused it. */
const takenUpMs = 400
const inputPieceBytes = 16 * 1024

const answer = lazy(() => z.looseObject({ session_id: z.string().min(1) }))
/** The last frame of Nezha’s agents when a shell ends (contract http-api 5.4). */
const lastWords = /^(?:read .+: .+|EOF)\s*$/

/** Resets the modes that the previous shell may have left on (full screen, mouse, bracketed paste). */
export const modesOff =
  '\u001b[!p\u001b[?1049l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1006l\u001b[?2004l\u001b[?25h\u001b[0m'

/** A server’s name, with the record on it in which a shell runs, as commands take it. */
export const shellTitle = (server: string, inside?: ShellPlace | null): string =>
  inside ? plainText(`${server}/${inside.name}`) : server

/** Not started yet (contract http-api 5.4). */
export function createTerminalSession(options: TerminalOptions): TerminalSession {
  const { ports, api, server, inside, baseUrl, headers, capabilities, onOutput, onDivider } = options
  let state: TerminalState = { status: 'opening' }
  let socket: Socket | null = null
  /** Number of the current connection; events of earlier ones are ignored. */
  let turn = 0
  let isClosed = false
  let shell: string | null = null
  /** Whether the server supports re-attach and sends close codes. */
  let isOurs = false
  let heard: Uint8Array | null = null
  /** Bytes of this shell’s output so far, where re-attaching continues. */
  let received = 0
  let attempt = 0
  /** How the last connection ended; null before the first and while connected. */
  let parted: Pick<TerminalDivider, 'after' | 'partedAt'> | null = null
  let cancelTimer: Cancel = () => undefined
  let cancelBeat: Cancel = () => undefined

  const tell = (next: TerminalState) => {
    state = next
    options.onState(next)
  }
  const sizer = createSizer({ clock: ports, size: options.size, send: (size) => socket?.send(toResizeFrame(size)) })
  const drop = () => {
    turn += 1
    cancelTimer()
    cancelBeat()
    sizer.closed()
    const old = socket
    socket = null
    old?.close()
  }
  const send = (data: Uint8Array) => {
    for (let at = 0; at < data.length; at += inputPieceBytes)
      socket?.send(toInputFrame(data.subarray(at, at + inputPieceBytes)))
  }

  const finish = (reason: StreamEnd, exit: number | null) => {
    drop()
    shell = null
    const at = ports.now()
    parted = { after: 'ended', partedAt: at }
    tell({ status: 'ended', reason, exit, at })
  }
  const lose = () => {
    drop()
    attempt += 1
    parted ??= { after: 'lost', partedAt: ports.now() }
    const waitMs = jitteredBackoffMs(reconnectBackoff, attempt - 1, ports.random())
    tell({ status: 'lost', lostAt: parted.partedAt, retryAt: ports.now() + waitMs, attempt })
    cancelTimer = ports.setTimer(again, waitMs)
  }
  const again = () => {
    const isKept = parted !== null && ports.now() - parted.partedAt <= reattachWithinMs
    if (shell !== null && isOurs && isKept) attach(shell, true)
    else void open()
  }
  const open = async () => {
    drop()
    const mine = turn
    shell = null
    if (state.status !== 'lost') tell({ status: 'opening' })
    try {
      const [known, made] = await Promise.all([
        capabilities(),
        api.send({ method: 'POST', path: 'terminal', body: { server_id: server, inside }, changesNothing: true }),
      ])
      isOurs = known.includes('reattach')
      const { session_id } = readAnswer(made)
      if (mine === turn) attach(session_id, false)
      else free(session_id)
    } catch (thrown) {
      if (mine !== turn) return
      const error = toAppError(thrown)
      if (error.code === 'unreachable' || error.code === 'timeout') lose()
      else tell({ status: 'refused', error })
    }
  }
  const connect = (path: string, handlers: Parameters<Ports['openSocket']>[1]) =>
    ports.openSocket(
      {
        url: `${baseUrl.replace(/^http/, 'ws')}/api/v1/ws/terminal/${path}`,
        protocols: isOurs ? [terminalProtocol] : [],
        headers: headers?.() ?? {},
      },
      handlers,
    )
  /** Opens and closes an unused session, which Nezha would keep counting. */
  const free = (id: string) => {
    const unwanted = connect(id, { open: () => unwanted.close(), message: () => undefined, close: () => undefined })
  }
  const attach = (id: string, isSame: boolean) => {
    drop()
    const mine = turn
    const isMine = () => mine === turn
    shell = id
    heard = null
    if (!isSame) received = 0
    let isLive = false
    const goLive = () => {
      if (isLive) return
      isLive = true
      cancelTimer()
      if (parted) onDivider({ shell: isSame ? 'same' : 'new', ...parted, at: ports.now() })
      parted = null
      tell({ status: 'live', since: ports.now() })
      beat()
    }
    socket = connect(isSame ? `${id}?from=${received}` : id, {
      open() {
        if (!isMine()) return
        sizer.opened()
        if (isSame) cancelTimer = ports.setTimer(goLive, takenUpMs)
        else goLive()
      },
      message(data) {
        if (!isMine()) return
        goLive()
        attempt = 0
        heard = typeof data === 'string' ? new TextEncoder().encode(data) : data
        received += heard.length
        if (heard.length > 0) onOutput(heard)
      },
      close(code, closeReason) {
        if (!isMine()) return
        const reason = endOf(code, { heard, wasLive: isLive, hasCodes: isOurs })
        if (reason === null) lose()
        else if (isSame && reason === 'unknown') void open()
        else finish(reason, parseExit(closeReason))
      },
    })
  }
  /** Prevents proxies from closing an idle connection, and detects a dead one after sleep. */
  const beat = () => {
    cancelBeat = ports.setTimer(() => {
      socket?.send(keepaliveFrame)
      beat()
    }, beatMs)
  }
  const reconnect = () => {
    if (isClosed || state.status === 'live' || state.status === 'opening') return
    if (state.status === 'lost') again()
    else void open()
  }
  return {
    start: () => void open(),
    reconnect,
    resize: (size) => sizer.resize(size),
    input(data) {
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
      if (state.status === 'live') send(bytes)
      else if (bytes.length === 1 && (bytes[0] === 13 || bytes[0] === 10)) reconnect()
    },
    paste(paste, { bracketed }) {
      if (paste.isTooLarge || state.status !== 'live') return false
      send(pasteBytes(paste, { bracketed }))
      return true
    },
    close() {
      isClosed = true
      drop()
    },
  }
}

function readAnswer(data: unknown): z.output<ReturnType<typeof answer>> {
  const parsed = answer().safeParse(data)
  if (!parsed.success) throw new AppError('badAnswer', { reason: shapeFaults(parsed.error) })
  return parsed.data
}

/** Null: the network. Without close codes, the last output decides. */
function endOf(
  code: number,
  { heard, wasLive, hasCodes }: { heard: Uint8Array | null; wasLive: boolean; hasCodes: boolean },
): StreamEnd | null {
  if (hasCodes) return parseStreamClose(code) ?? null
  if (heard && lastWords.test(new TextDecoder().decode(heard))) return 'ended'
  return wasLive && heard === null ? 'no-agent' : null
}

/** At most ten sizes per second are sent (behavior W-02). */
const leastGapMs = 100
/** The size is sent again this long after opening (product spec, section 7). */
const againMs = 1500
const minCells = 2
const maxSize = { cols: 1000, rows: 500 }

/** Sends a terminal’s size on opening, after 1.5 s, and on change. */
interface Sizer {
  opened(): void
  closed(): void
  resize(size: TerminalSize): void
}

/** Agents accept whole cells, at least 2 x 2. */
function toSize({ cols, rows }: TerminalSize): TerminalSize {
  const within = (cells: number, limit: number) => Math.min(limit, Math.max(minCells, Math.floor(cells) || minCells))
  return { cols: within(cols, maxSize.cols), rows: within(rows, maxSize.rows) }
}

function createSizer(options: { clock: Clock; size: TerminalSize; send(size: TerminalSize): void }): Sizer {
  const { clock, send } = options
  let size = toSize(options.size)
  let isOpen = false
  let sentAt = Number.NEGATIVE_INFINITY
  let pending: Cancel | null = null
  let cancelAgain: Cancel = () => undefined

  const flush = () => {
    pending?.()
    pending = null
    sentAt = clock.now()
    send(size)
  }
  return {
    opened() {
      isOpen = true
      flush()
      cancelAgain = clock.setTimer(flush, againMs)
    },
    closed() {
      isOpen = false
      pending?.()
      pending = null
      cancelAgain()
    },
    resize(next) {
      const before = size
      size = toSize(next)
      const isSame = size.cols === before.cols && size.rows === before.rows
      if (!isOpen || pending || isSame) return
      const waitMs = sentAt + leastGapMs - clock.now()
      if (waitMs <= 0) flush()
      else pending = clock.setTimer(flush, waitMs)
    },
  }
}

/** A larger paste is refused (behavior W-05). */
const pasteLimitBytes = 512 * 1024

/** A paste, for its confirmation. */
export interface Paste {
  /** With carriage returns as line ends, like Enter. */
  text: string
  bytes: number
  lines: number
  isTooLarge: boolean
  /** The shell would run the lines at once, because it doesn’t support bracketed paste. */
  runsLines: boolean
}

/** `bracketed`: the shell asked for paste marks. */
export function readPaste(raw: string, { bracketed }: { bracketed: boolean }): Paste {
  const text = raw.replace(/\r\n?|\n/g, '\r')
  const bytes = new TextEncoder().encode(text).length
  const breaks = text.split('\r').length - 1
  return {
    text,
    bytes,
    lines: breaks + (text.endsWith('\r') ? 0 : 1),
    isTooLarge: bytes > pasteLimitBytes,
    runsLines: !bracketed && breaks > 0,
  }
}

/** Removes paste marks from the text, which would end the paste early. */
export function pasteBytes({ text }: Pick<Paste, 'text'>, { bracketed }: { bracketed: boolean }): Uint8Array {
  const [begin, end] = ['\u001b[200~', '\u001b[201~']
  return new TextEncoder().encode(bracketed ? begin + text.replaceAll(begin, '').replaceAll(end, '') + end : text)
}
