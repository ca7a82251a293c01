import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientOptions, createClient, createCookieJar, type Fetch, type Ports } from '@qd/core/api'
import { afterEach } from 'vitest'

/** A request as it came. */
export interface Seen {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** What is answered; nothing but 200 is the rule. */
export interface Answer {
  status?: number
  headers?: Record<string, string | string[]>
  body?: unknown
  text?: string
}

/** Answers the `count`th request of a route. */
export type Route = (request: Seen, count: number) => Answer | 'silence' | 'hang up'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A dashboard that answers as the test says; a path without a route answers as the existing one does. */
export async function dashboard(routes: Record<string, Route>) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const one = {
        method: request.method!,
        path: request.url!.replace('/api/v1/', ''),
        headers: request.headers,
        body,
      }
      seen.push(one)
      const name = `${one.method} ${one.path}`
      const answer = routes[name]?.(one, seen.filter((other) => `${other.method} ${other.path}` === name).length) ?? {
        status: 404,
        body: { error: '404 Not Found' },
      }
      if (answer === 'silence') return
      if (answer === 'hang up') return void request.socket.destroy()
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json; charset=utf-8', ...answer.headers })
      response.end(answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { baseUrl, seen, calls: () => seen.map(({ method, path }) => `${method} ${path}`) }
}

/** Requests over the network, as a browser's fetch makes them. */
export const nodeFetch: Fetch = async ({ url, signal, ...init }) => {
  const response = await fetch(url, { ...init, signal: signal as never, redirect: 'manual' })
  return {
    status: response.status,
    headers: response.headers,
    setCookies: response.headers.getSetCookie(),
    text: () => response.text(),
  }
}

/** The clock, the chance and the timers of this process. */
export const clocks: Pick<Ports, 'now' | 'random' | 'setTimer'> = {
  now: Date.now,
  random: Math.random,
  setTimer(run, ms) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** A client of that dashboard, signed in for ever. Waits are as long as they are, but a test's clock decides what time it is. */
export function client(baseUrl: string, more: Partial<ClientOptions> & { clock?: { now: number } } = {}) {
  const { clock = { now: 0 }, ...options } = more
  return createClient({
    baseUrl,
    lifetime: { refreshAt: Number.POSITIVE_INFINITY, expiresAt: Number.POSITIVE_INFINITY },
    credentials: { kind: 'jar', jar: createCookieJar({ 'nz-jwt': 'j1', 'nz-csrf': 'c1' }) },
    ports: {
      fetch: nodeFetch,
      now: () => clock.now,
      random: () => 0,
      setTimer: clocks.setTimer,
    },
    ...options,
  })
}

/** A success. */
export const good = (data?: unknown): Answer => ({ body: { success: true, ...(data === undefined ? {} : { data }) } })
/** No sign-in, as the wire says it. */
export const unauthorized: Answer = {
  body: { error: 'ApiErrorUnauthorized' },
  headers: { 'www-authenticate': 'JWT realm=fleet' },
}
/** The CSRF pair is missing or wrong. */
export const csrfRefused: Answer = { status: 403, body: { error: 'ApiErrorForbidden: missing or invalid CSRF token' } }
