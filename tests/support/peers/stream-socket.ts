import { WebSocket } from 'ws'
import type { Browser } from '../browser.ts'
import type { World } from '../world.ts'
import { createInbox, type Inbox } from './inbox.ts'

/** What the server did on a stream's websocket, in order. */
export type StreamEvent =
  | { event: 'data'; bytes: Buffer; isBinary: boolean }
  | { event: 'ping' }
  | { event: 'close'; code: number; reason: string }

/** A user's end of a relayed stream. */
export interface StreamSocket extends Inbox<StreamEvent> {
  readonly ws: WebSocket
  send(data: Uint8Array | string): void
  /** Output until it has the wanted text; frame boundaries mean nothing. */
  until(text: string): Promise<string>
  closed(): Promise<{ code: number; reason: string }>
  /** Ends it as somebody who leaves. */
  leave(): void
  /** Cuts it as a lost network does. */
  lose(): void
}

/** Whose socket, and how it says hello. */
export interface StreamSocketOptions {
  browser: Browser
  protocols?: readonly string[]
  headers?: Record<string, string>
  /** Default `terminal`. */
  kind?: 'terminal' | 'file' | 'logs'
  /** Output the client has had already. */
  from?: number
}

/** Opens `/ws/{kind}/{id}`. Errors: the status and text of a refusal, as an error's message. */
export async function openStreamSocket(world: World, id: string, options: StreamSocketOptions): Promise<StreamSocket> {
  const { browser, protocols = [], headers = {}, kind = 'terminal', from } = options
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const query = from === undefined ? '' : `?from=${from}`
  const ws = new WebSocket(`ws://127.0.0.1:${world.port}/api/v1/ws/${kind}/${id}${query}`, [...protocols], {
    headers: { cookie, ...headers },
  })
  const inbox = createInbox<StreamEvent>()
  ws.on('message', (bytes: Buffer, isBinary) => inbox.push({ event: 'data', bytes, isBinary }))
  ws.on('ping', () => inbox.push({ event: 'ping' }))
  ws.on('close', (code, reason) => {
    inbox.push({ event: 'close', code, reason: String(reason) })
    inbox.end()
  })
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('unexpected-response', (_request, response) => {
      let body = ''
      response.on('data', (bytes) => {
        body += bytes
      })
      response.on('end', () => reject(new Error(`${response.statusCode} ${body}`)))
    })
    ws.on('error', reject)
  })
  return {
    ...inbox,
    ws,
    send: (data) => ws.send(data),
    async until(text) {
      let output = ''
      while (!output.includes(text)) {
        const found = await inbox.take(({ event }) => event === 'data')
        if (found.event === 'data') output += found.bytes.toString('latin1')
      }
      return output
    },
    async closed() {
      const found = await inbox.take(({ event }) => event === 'close')
      return found.event === 'close' ? { code: found.code, reason: found.reason } : { code: 0, reason: '' }
    },
    leave: () => ws.close(),
    lose: () => ws.terminate(),
  }
}
