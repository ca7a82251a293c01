import {
  type AgentOptions,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import type { Upstream } from '../kernel/upstream.ts'

/** How long a connection may take to come about, TLS included. */
const connectMs = 5000
/** A connection that was idle this long may already have ended on the other side. Go's servers and nginx keep theirs longer. */
const idleMs = 4000
/** How long a connection may be silent before the system asks whether the other side is still there. */
const probeMs = 30_000
/** Connections at the same time; calls beyond wait. Streams and websockets have their own. */
const maxConnections = 256

/** One request to the dashboard. */
export interface Outgoing {
  method: string
  /** As the client wrote it: path and query, below the upstream's own path. */
  path: string
  headers: OutgoingHttpHeaders
  /** Use a connection that was used before. Only for what may be sent twice: it may have ended just now. */
  reuse: boolean
}

/** The one place that requests go to. */
export interface Target {
  /** Begins a request; the caller ends it. A connection that does not come about in time ends with `ETIMEDOUT`. */
  send(outgoing: Outgoing): ClientRequest
  close(): void
}

/** Opens connections to the upstream and to nothing else: no proxy, no redirects, certificates verified. */
export function createTarget({ url, ca }: Upstream): Target {
  const isTls = url.protocol === 'https:'
  const tls = isTls && ca !== null ? { ca: [...rootCertificates, ca] } : {}
  const keeping: AgentOptions = {
    keepAlive: true,
    keepAliveMsecs: probeMs,
    maxSockets: maxConnections,
    timeout: idleMs,
    scheduling: 'lifo',
  }
  const kept = isTls ? new HttpsAgent({ ...tls, ...keeping }) : new HttpAgent(keeping)
  const fresh = isTls ? new HttpsAgent(tls) : new HttpAgent()
  const begin = isTls ? httpsRequest : httpRequest
  const below = url.pathname.replace(/\/$/, '')
  return {
    send({ method, path, headers, reuse }) {
      const options: RequestOptions = {
        host: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || (isTls ? 443 : 80),
        method,
        path: below + path,
        headers,
        agent: reuse ? kept : fresh,
        setHost: false,
      }
      const request = begin(options)
      request.on('socket', (socket) => {
        if (!socket.connecting) return
        socket.setNoDelay(true)
        socket.setKeepAlive(true, probeMs)
        const timer = setTimeout(() => request.destroy(tooSlow()), connectMs)
        const stop = () => clearTimeout(timer)
        socket.once(isTls ? 'secureConnect' : 'connect', stop).once('close', stop)
      })
      return request
    },
    close() {
      kept.destroy()
      fresh.destroy()
    },
  }
}

const tooSlow = () => Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' })

/** The first bytes of a body as text; the rest is not read. Never fails: a body that is cut short ends there. */
export function beginningOf(answer: IncomingMessage, most: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      answer.destroy()
      resolve(Buffer.concat(chunks).subarray(0, most).toString('utf8'))
    }
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > most) end()
    })
    answer.once('end', end).on('error', end).once('close', end)
  })
}
