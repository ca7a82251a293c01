import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Fetch } from '@qd/core/api'
import type { Hono } from 'hono'
import type { HttpContext, HttpEnv } from './request.ts'

/** A call of the own API: `path` with what is asked of it, names of `headers` in small letters. */
export interface InnerCall {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** Headers that say how the call that came is written, not who made it. */
const ownOnly = ['content-length', 'content-type', 'transfer-encoding', 'accept-encoding', 'if-match']

/**
 * Sends calls through the routes of this very server in the name of whoever made the one in `context`: same peer, same proxies' headers, same
 * session or API token, so that rights, limits and the audit log see what they would see from outside.
 */
export function createInnerCalls(
  app: Pick<Hono<HttpEnv>, 'fetch'>,
  context: HttpContext,
): (call: InnerCall) => Promise<Response> {
  const { incoming, outgoing } = context.env
  const kept = Object.entries(incoming.headers).filter(([name]) => !ownOnly.includes(name))
  return async ({ method, path, headers = {}, body = '' }) => {
    const all = { ...Object.fromEntries(kept), ...headers, 'content-length': String(Buffer.byteLength(body)) }
    const request = Object.assign(Readable.from(body === '' ? [] : [Buffer.from(body)]), {
      ...{ method, url: path, headers: all, socket: incoming.socket },
    }) as unknown as IncomingMessage
    const plain = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)])
    return app.fetch(new Request(new URL(path, 'http://localhost'), { method, headers: plain }), {
      incoming: request,
      outgoing,
    })
  }
}

/** The same for a client of core. */
export function createInnerFetch(app: Pick<Hono<HttpEnv>, 'fetch'>, context: HttpContext): Fetch {
  const call = createInnerCalls(app, context)
  return async ({ method, url, headers, body }) => {
    const { pathname, search } = new URL(url)
    const said = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const answer = await call({ method, path: pathname + search, headers: said, ...(body && { body }) })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, setCookies: [], text: async () => text }
  }
}
