import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request as it came. */
export interface Recorded {
  method: string
  /** Below `/api/v1/`, with its query. */
  path: string
  body: unknown
}

/** An answer: its envelope, and a status where it is not 200. `null` never answers. */
export type Reply = { status?: number; body: unknown } | null

/** A server that answers from a table and keeps what it was asked. */
export interface RecordingServer {
  readonly url: string
  readonly requests: readonly Recorded[]
  /** What was asked to change something. */
  readonly changes: readonly Recorded[]
  close(): Promise<void>
}

/** Data of a list or a record, as an envelope. */
export function good(data: unknown): Reply {
  return { body: { success: true, data } }
}

/** Starts one. `replies` by `METHOD path`, or by path alone for GET; a list of replies is used up one by one, its last stays. */
export async function startRecordingServer(
  replies: Readonly<Record<string, Reply | readonly Reply[]>>,
): Promise<RecordingServer> {
  const requests: Recorded[] = []
  const used = new Map<string, number>()
  const replyTo = (method: string, path: string): Reply => {
    const bare = path.split('?')[0]!
    const key = [`${method} ${bare}`, ...(method === 'GET' ? [bare] : [])].find((name) => name in replies)
    const found = key === undefined ? undefined : replies[key]
    if (found === undefined) return { status: 404, body: { error: '404 Not Found' } }
    if (!Array.isArray(found)) return found as Reply
    const at = used.get(key!) ?? 0
    used.set(key!, at + 1)
    return found[Math.min(at, found.length - 1)] as Reply
  }
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const path = url.replace('/api/v1/', '')
    const text = await textOf(request)
    requests.push({ method, path, body: text === '' ? undefined : JSON.parse(text) })
    const reply = replyTo(method, path)
    if (reply === null) return
    response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get changes() {
      return requests.filter(({ method }) => method !== 'GET')
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
