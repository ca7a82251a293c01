import { WebSocket } from 'ws'
import type { Browser } from '../browser.ts'
import type { World } from '../world.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** What the server did on a websocket, in order. */
export type SocketEvent =
  | { event: 'frame'; frame: Record<string, unknown> }
  | { event: 'ping' }
  | { event: 'close'; code: number }

/** A websocket of a caller. */
export interface LiveSocket extends Inbox<SocketEvent> {
  /** The next frame; what came before it is dropped. */
  frame(): Promise<Record<string, unknown>>
  close(): void
}

/** How the handshake is made; a guest without `browser`. */
export interface SocketOptions {
  path?: string
  browser?: Browser
  headers?: Record<string, string>
  protocols?: string[]
}

/** A handshake that was answered without an upgrade. */
export class RefusedUpgrade extends Error {
  readonly status: number
  readonly contentType: string
  readonly body: string
  constructor(status: number, contentType: string, body: string) {
    super(`the upgrade was answered with ${status} ${body}`)
    this.status = status
    this.contentType = contentType
    this.body = body
  }
}

/** Opens a websocket of a world, `/ws/server` unless told otherwise. Errors: `RefusedUpgrade`. */
export async function openSocket(world: Pick<World, 'port'>, options: SocketOptions = {}): Promise<LiveSocket> {
  const { path = '/api/v1/ws/server', browser, headers = {}, protocols = [] } = options
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  const ws = new WebSocket(`ws://127.0.0.1:${world.port}${path}`, protocols, {
    headers: { ...(cookie && { cookie }), ...headers },
  })
  const inbox = createInbox<SocketEvent>()
  ws.on('message', (data) => inbox.push({ event: 'frame', frame: JSON.parse(String(data)) }))
  ws.on('ping', () => inbox.push({ event: 'ping' }))
  ws.on('close', (code) => {
    inbox.push({ event: 'close', code })
    inbox.end()
  })
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (bytes) => {
        body += bytes
      })
      response.on('end', () =>
        reject(new RefusedUpgrade(response.statusCode ?? 0, response.headers['content-type'] ?? '', body)),
      )
    })
    ws.on('error', reject)
  })
  return {
    ...inbox,
    async frame() {
      const found = await inbox.take((item) => item.event === 'frame')
      return found.event === 'frame' ? found.frame : {}
    },
    close: () => ws.terminate(),
  }
}
