import type { RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '@qd/core/errors'
import type { Io } from '../io.ts'

type Env = Io['env']
type Connect = NonNullable<RequestOptions['createConnection']>

/**
 * The proxy for an address: `HTTPS_PROXY` for https and wss, `HTTP_PROXY` for http and ws, none for `NO_PROXY` and this
 * machine. Errors: `usage` for an invalid URL.
 */
export function proxyFor(url: URL, env: Env): URL | null {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:'
  const name = isSecure ? 'https_proxy' : 'http_proxy'
  const text = (env[name] ?? env[name.toUpperCase()] ?? '').trim()
  if (text === '' || isLocal(url.hostname) || isExcepted(url, env.no_proxy ?? env.NO_PROXY ?? '')) return null
  const address = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(address) ? new URL(address) : null
  if (!proxy || !/^https?:$/.test(proxy.protocol)) throw new AppError('usage', { reason: 'badUrl', url: text })
  return proxy
}

const isLocal = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host)

/** `NO_PROXY`: `*`, a host with or without its port, or a domain with everything below it. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const usual = /^(https|wss):$/.test(protocol) ? '443' : '80'
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (entry === '*') return true
      if (name === '' || (only !== undefined && only !== (port || usual))) return false
      return hostname === name || hostname.endsWith(`.${name}`)
    })
}

export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(text).toString('base64')}` }
}

export function proxyFailed(url: URL, proxy: URL, cause: unknown): AppError {
  return new AppError('unreachable', { url: url.origin, why: 'viaProxy', proxy: proxy.host }, { cause })
}

export function tunnelTo(url: URL, proxy: URL): Connect {
  return (_options, done) => {
    open(url, proxy).then(
      (socket) => done(null, socket),
      (thrown: Error) => (done as (error: Error) => void)(thrown),
    )
    return undefined
  }
}

async function open(url: URL, proxy: URL): Promise<Duplex> {
  const isSecure = /^(https|wss):$/.test(url.protocol)
  const authority = `${url.hostname}:${url.port || (isSecure ? 443 : 80)}`
  const { request } = proxy.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const tunnel = await new Promise<Duplex>((resolve, reject) => {
    const options = { method: 'CONNECT', path: authority, agent: false as const }
    request(proxy, { ...options, headers: { Host: authority, ...proxyHeaders(proxy) } })
      .on('connect', ({ statusCode }, socket) => {
        if (statusCode === 200) resolve(socket)
        else {
          socket.destroy()
          reject(new Error(`HTTP ${statusCode}`))
        }
      })
      .on('error', reject)
      .end()
  }).catch((thrown: unknown) => {
    throw proxyFailed(url, proxy, thrown)
  })
  if (!isSecure) return tunnel
  const { connect } = await import('node:tls')
  const { isIP } = await import('node:net')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    // Without `host`, certificates of IP addresses are checked against the proxy’s address.
    const names = isIP(host) ? { host } : { host, servername: host }
    const secured = connect({ socket: tunnel, ...names }, () => resolve(secured))
    secured.on('error', reject)
  })
}
