export const ServiceType = { http: 1, icmp: 2, tcp: 3 } as const

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const name = new RegExp(`^(?:${label}\\.)*${label}\\.?$`, 'i')
const ipv6 = /^[0-9a-f:]*:[0-9a-f:.]*(?:%[\w-]+)?$/i

export function isHttpUrl(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text)
    return ['http:', 'https:'].includes(protocol) && hostname !== '' && !/\s/.test(text)
  } catch {
    return false
  }
}

/** Never begins with a hyphen, because it becomes an argument of `ping`. */
export function isHost(text: string): boolean {
  return text.length <= 253 && (name.test(text) || ipv6.test(text))
}

/** `host:port` or `[v6]:port`; null for anything else. */
export function hostPort(text: string): { host: string; port: number } | null {
  const [, v6, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? []
  const host = v6 ?? plain
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535) return null
  return (v6 === undefined ? name.test(host) : ipv6.test(host)) ? { host, port } : null
}

/** The code of a problem; null for a valid target. */
export function targetFault({ type, target }: { type: number; target: string }): string | null {
  if (type === ServiceType.http) return isHttpUrl(target) ? null : 'notUrl'
  if (type === ServiceType.icmp) return isHost(target) ? null : 'notHost'
  return hostPort(target) ? null : 'notHostPort'
}
