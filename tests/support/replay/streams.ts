import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Frame, fill, type Session, sessionOf, sessionsOf } from './recordings.ts'

/** The websockets of a replayed dashboard. */
export interface Streams {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Cuts every websocket that is open, as a restart does. */
  cut(): void
  /** How many are open. */
  open(): number
  /** How many bytes were typed into shells. */
  typed(): number
  /** From now on each frame of a file session is answered by these frames, null: as recorded. */
  filesSay(answer: ((sent: Buffer) => readonly Uint8Array[]) | null): void
}

/** What the websockets know of the dashboard that they belong to. */
interface Surroundings {
  readonly as: 'admin' | 'member'
  readonly isFirst: boolean
  readonly problems: string[]
  readonly calls: string[]
  isSignedIn(request: IncomingMessage): boolean
  isRefused(): boolean
}

const values = { stamp: '2026-11-20T10:00:00.000Z', jwt: '', csrf: '', session: '' }
const pauseMs = 100

/** Replays `/ws/server`, `/ws/transfer`, `/ws/terminal/…` and `/ws/file/…`; what is sent otherwise than recorded is a problem. */
export function createStreams({ as, isFirst, isSignedIn, problems, calls, isRefused }: Surroundings): Streams {
  let typed = 0
  let saying: ((sent: Buffer) => readonly Uint8Array[]) | null = null
  const server = new WebSocketServer({ noServer: true })
  const play = (name: string, ws: WebSocket, isIn: boolean) => {
    if (name === 'ws/server') return tell(ws, sessionsOf('server').find((one) => one.as === (isIn ? as : 'guest'))!)
    if (name === 'ws/transfer') return tell(ws, sessionOf('transfer', 'pending, then verified (agent over TLS)'))
    if (name.startsWith('ws/terminal/')) {
      ws.on('message', (data: Buffer) => {
        if (data[0] === 0) typed += data.length - 1
      })
      return terminal(ws, problems)
    }
    if (name.startsWith('ws/file/')) return files(ws, problems, () => saying)
    problems.push(`${name}: no such websocket`)
    ws.close()
  }
  return {
    upgrade(request, socket, head) {
      const name = request.url!.replace('/api/v1/', '')
      calls.push(name)
      const isIn = isSignedIn(request)
      if (isFirst && name === 'ws/transfer') {
        socket.end('HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n\r\n{"error":"404 Not Found"}')
        return
      }
      if (isRefused() || (!isIn && name !== 'ws/server')) {
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"error":"ApiErrorUnauthorized"}')
        return
      }
      // Existing dashboards choose no subprotocol, and a browser gives up when it offered one.
      if (request.headers['sec-websocket-protocol'] !== undefined) problems.push(`${name}: a subprotocol was offered`)
      server.handleUpgrade(request, socket, head, (ws) => play(name, ws, isIn))
    },
    cut() {
      for (const ws of server.clients) ws.terminate()
    },
    open: () => server.clients.size,
    typed: () => typed,
    filesSay(answer) {
      saying = answer
    },
  }
}

const textOf = (frame: Frame) => JSON.stringify(fill(JSON.parse(frame.text!), values))
const bytesOf = ({ hex, text }: Frame) => (hex === undefined ? Buffer.from(text ?? '') : Buffer.from(hex, 'hex'))

/** Sends what was recorded, and the last of it again and again. */
function tell(ws: WebSocket, { frames }: Session): void {
  const texts = frames.filter(({ dir, opcode }) => dir === 'in' && opcode === 'text')
  let at = 0
  const send = () => ws.send(textOf(texts[Math.min(at++, texts.length - 1)]!))
  send()
  const timer = setInterval(send, pauseMs)
  ws.on('close', () => clearInterval(timer))
}

/** What was recorded of a session: what comes in, and the answers to it. */
function turnsOf({ frames }: Session): { out: Frame[]; in: Frame[] }[] {
  const turns: { out: Frame[]; in: Frame[] }[] = []
  for (const frame of frames) {
    const last = turns.at(-1)
    if (frame.dir === 'in') last?.in.push(frame)
    else if (last && last.in.length === 0) last.out.push(frame)
    else turns.push({ out: [frame], in: [] })
  }
  return turns
}

function send(ws: WebSocket, frames: readonly Frame[]): void {
  for (const frame of frames) {
    if (frame.opcode === 'close') ws.terminate()
    else if (frame.opcode !== 'ping') ws.send(bytesOf(frame), { binary: frame.opcode === 'binary' })
  }
}

/** A shell: lines that were typed in the recording are answered as they were; sizes must be sizes. Source: contract http-api 5.4. */
function terminal(ws: WebSocket, problems: string[]): void {
  const session = sessionOf('terminal', 'open, resize, echo, exit')
  const answers = new Map(
    turnsOf(session)
      .map((turn) => [turn.out.findLast(({ text }) => text !== undefined)?.text, turn.in] as const)
      .filter(([line]) => line !== undefined),
  )
  let typed = ''
  send(ws, session.frames.slice(1, 2))
  ws.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return void problems.push(`ws/terminal: a text frame ${JSON.stringify(String(data))}`)
    const rest = data.subarray(1)
    if (data[0] === 1) {
      const { Rows = 0, Cols = 0 } = JSON.parse(String(rest)) as { Rows?: number; Cols?: number }
      if (Rows < 2 || Cols < 2) problems.push(`ws/terminal: a size of ${Cols}x${Rows}`)
      return
    }
    if (data[0] !== 0) return void problems.push(`ws/terminal: a frame that begins with ${data[0]}`)
    if (data.length > 524_352) problems.push(`ws/terminal: a frame of ${data.length} bytes`)
    typed += String(rest)
    if (!typed.endsWith('\r')) return
    const answer = answers.get(typed)
    if (answer) send(ws, answer)
    else problems.push(`ws/terminal: nobody typed ${JSON.stringify(typed)}`)
    typed = ''
  })
}

const hexOf = (text: string) => Buffer.from(text).toString('hex')
/** The folder around those that were recorded, which nobody listed: home and a private one. Source: fixtures README. */
const around: { out: Frame[]; in: Frame[] } = {
  out: [{ dir: 'out', opcode: 'binary', hex: `00${hexOf('/tmp/fx')}` }],
  in: [
    {
      dir: 'in',
      opcode: 'binary',
      hex: `4e5a464e00000007${hexOf('/tmp/fx')}0104${hexOf('home')}0107${hexOf('private')}`,
    },
  ],
}

/** Files: what was asked for in the recording is answered as it was. Source: contract http-api 5.5. */
function files(
  ws: WebSocket,
  problems: string[],
  saying: () => ((sent: Buffer) => readonly Uint8Array[]) | null,
): void {
  const turns = [...sessionsOf('file').flatMap((session) => turnsOf(session)), around]
  let open: Frame[][] = turns.map(({ out }) => out)
  let seen: Buffer[] = []
  ws.on('message', (data: Buffer) => {
    const said = saying()?.(data)
    if (said) {
      for (const frame of said) ws.send(frame)
      return
    }
    seen.push(data)
    const fits = (out: readonly Frame[]) => seen.every((bytes, at) => out[at] && bytesOf(out[at]).equals(bytes))
    open = turns.map(({ out }) => out).filter(fits)
    const whole = turns.find(({ out }) => fits(out) && out.length === seen.length)
    if (whole) {
      send(ws, whole.in)
      seen = []
    } else if (open.length === 0) {
      problems.push(`ws/file: nobody sent ${seen.map((bytes) => bytes.toString('hex')).join(' ')}`)
      seen = []
    }
  })
}
