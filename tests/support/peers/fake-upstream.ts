import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Certificate } from '../certificates.ts'

/** What stands behind a gateway in tests of trouble: it answers as the test says. */
export interface FakeUpstream {
  /** e.g. `http://127.0.0.1:1234`. */
  readonly origin: string
  readonly port: number
  /** Requests that came, oldest first, those of the gateway's own look left out. */
  readonly seen: readonly IncomingMessage[]
  /** From now on it answers so. */
  answer: RequestListener
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  close(): Promise<void>
}

/** What a dashboard of 2.x says of itself to a guest. */
export const guestSetting = JSON.stringify({
  success: true,
  data: {
    config: { language: 'de-DE', site_name: 'Fleet', ip_change_notification_group_id: 0, cover: 0 },
    tsdb_enabled: false,
  },
})

/** Answers with a body of one type. */
export const says =
  (status: number, type: string, body: string, headers: Record<string, string | string[]> = {}): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'Content-Type': type, ...headers }).end(body)

/** Starts one on 127.0.0.1; `GET /api/v1/setting` without cookies is answered with `setting`, unless that is null. */
export async function startFakeUpstream({
  certificate,
  setting = guestSetting,
  port = 0,
}: {
  certificate?: Certificate
  setting?: string | null
  port?: number
} = {}): Promise<FakeUpstream> {
  const seen: IncomingMessage[] = []
  const sockets = new Set<Socket>()
  const listener: RequestListener = (request, response) => {
    if (setting !== null && request.url === '/api/v1/setting' && !request.headers.cookie)
      return says(200, 'application/json; charset=utf-8', setting)(request, response)
    seen.push(request)
    upstream.answer(request, response)
  }
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    seen.push(request)
    upstream.onUpgrade(request, socket, head)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: listening } = server.address() as AddressInfo
  const upstream: FakeUpstream = {
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${listening}`,
    port: listening,
    seen,
    answer: says(200, 'application/json; charset=utf-8', '{"success":true}'),
    onUpgrade: (_request, socket) => void socket.destroy(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return upstream
}
