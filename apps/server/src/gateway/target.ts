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

const connectMs = 5000
/** Shorter than the keep-alive of Go and nginx, so that the peer hasn't closed the connection. */
const idleMs = 4000
const probeMs = 30_000
const maxConnections = 256

export interface Outgoing {
  method: string
  /** As sent by the client, relative to the upstream's path. */
  path: string
  headers: OutgoingHttpHeaders
  /** Allow a pooled connection, which may just have closed: only for repeatable requests. */
  reuse: boolean
}

export type Target = ReturnType<typeof createTarget>

export function createTarget({ url, ca }: Upstream) {
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
    send({ method, path, headers, reuse }: Outgoing): ClientRequest {
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
    close(): void {
      kept.destroy()
      fresh.destroy()
    },
  }
}

const tooSlow = () => Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' })

/** The beginning of a body. Never fails: a truncated body ends there. */
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
