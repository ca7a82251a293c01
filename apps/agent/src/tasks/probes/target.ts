import { isIP } from 'node:net'

/** Longest target in characters; real targets are shorter. */
const mostChars = 2048

/** False for a target that no probe accepts: control characters, blanks, or a leading hyphen that a program could read as an option. */
export const isPlain = (target: string): boolean => target.length <= mostChars && /^(?!-)[^\p{C}\s]+$/u.test(target)

/** True for a host name or an IP address. */
export const isHost = (text: string): boolean => isIP(text) !== 0 || /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252}$/u.test(text)

/** Host and port of `host:port` or `[v6]:port`, or why there are none, in the words of existing agents. */
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
