import { isIP } from 'node:net'

/** Longest target in characters; real targets are shorter. */
const maxChars = 2048

/** False for a target that no probe accepts: control characters, blanks, or a leading hyphen that a program could read as an option. */
export const isPlain = (target: string): boolean => target.length <= maxChars && /^(?!-)[^\p{C}\s]+$/u.test(target)

/** True for a host name or an IP address. */
export const isHost = (text: string): boolean => isIP(text) !== 0 || /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252}$/u.test(text)

/** Host and port of `host:port` or `[v6]:port`, or why there are none, in the words of Nezha agents. */
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

/** Runs at most `most` jobs at a time and lets `maxWaiting` wait for their turn. Returns undefined for a job beyond both. */
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

/** The system's error for a connection that failed. */
interface SystemError {
  name?: string
  code?: string
  syscall?: string
  address?: string
  port?: number
  hostname?: string
  message?: string
  /** One per address that was tried. */
  errors?: readonly SystemError[]
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  EACCES: 'permission denied',
}

/** `address:port`, with brackets around IPv6. */
export const joinHostPort = (address: string, port: number): string =>
  `${address.includes(':') ? `[${address}]` : address}:${port}`

/** Why a connection failed, in the words of Nezha agents if they have words for it. Source: agent contract 3.4. */
export const toErrorText = (error: unknown): string => {
  const failed = error as SystemError
  const { name, code = '', syscall, address = '', port = 0, hostname, message = '' } = failed.errors?.[0] ?? failed
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT') return 'i/o timeout'
  if (syscall === 'getaddrinfo') return `lookup ${hostname}: no such host`
  if (syscall === 'connect' && address)
    return `dial tcp ${joinHostPort(address, port)}: connect: ${words[code] ?? message}`
  return message || code
}

/** What a probe found: `delay` in ms, `data` why it failed or the certificate. */
export interface Finding {
  successful: boolean
  delay?: number
  data?: string
  /** Which of the host’s addresses answered, where it has several. */
  address?: string
}

/** The result of a failed probe, with this reason. */
export const failure = (data: string): Finding => ({ successful: false, data })
