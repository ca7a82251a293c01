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

/** Why a connection failed, in the words of existing agents if they have words for it. Source: agent contract 3.4. */
export const toErrorText = (error: unknown): string => {
  const failed = error as SystemError
  const { name, code = '', syscall, address = '', port = 0, hostname, message = '' } = failed.errors?.[0] ?? failed
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT') return 'i/o timeout'
  if (syscall === 'getaddrinfo') return `lookup ${hostname}: no such host`
  if (syscall === 'connect' && address)
    return `dial tcp ${joinHostPort(address, port)}: connect: ${words[code] ?? message}`
  return message || code
}
