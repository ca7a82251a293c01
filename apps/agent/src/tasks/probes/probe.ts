import { isIP } from 'node:net'

const maxChars = 2048

/** No control characters, blanks or leading hyphen, which a program could read as an option. */
export const isPlain = (target: string): boolean => target.length <= maxChars && /^(?!-)[^\p{C}\s]+$/u.test(target)

export const isHost = (text: string): boolean => isIP(text) !== 0 || /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252}$/u.test(text)

/** `host:port` or `[v6]:port`, or Nezha’s error text. */
export const splitHostPort = (target: string): { host: string; port: number } | string => {
  const [, v6, name, digits] = /^(?:\[([^[\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(target) ?? []
  const host = v6 ?? name
  if (host === undefined || digits === undefined) {
    const isBare = !target.includes(':') || target.endsWith(']')
    return `address ${target}: ${isBare ? 'missing port in address' : 'too many colons in address'}`
  }
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  if (port < 1 || port > 65_535) return `address ${target}: invalid port`
  return isHost(host) ? { host, port } : `lookup ${host}: no such host`
}

/** Undefined for a job beyond both limits. */
export const createTurns = (most: number, maxWaiting: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (running >= most) {
      if (waiting.length >= maxWaiting) return undefined
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

interface SystemError {
  name?: string
  code?: string
  syscall?: string
  address?: string
  port?: number
  hostname?: string
  message?: string
  errors?: readonly SystemError[]
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EACCES: 'permission denied',
}

export const joinHostPort = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

/** Nezha’s words where it has them (agent contract 3.4). */
export const toErrorText = (error: unknown): string => {
  const failed = error as SystemError
  const { name, code = '', syscall, address = '', port = 0, hostname, message = '' } = failed.errors?.[0] ?? failed
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT') return 'i/o timeout'
  if (syscall === 'getaddrinfo') return `lookup ${hostname}: no such host`
  if (syscall === 'connect' && address)
    return `dial tcp ${joinHostPort(address, port)}: connect: ${words[code] ?? message}`
  return message || code
}

/** `delay` in ms; `data`: error or certificate. */
export interface Finding {
  successful: boolean
  delay?: number
  data?: string
  /** The answering address, if the host has several. */
  address?: string
}

export const failure = (data: string): Finding => ({ successful: false, data })
