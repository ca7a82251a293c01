import { cookieNames } from '@qd/core/api'

/** Headers of one connection, which do not go on to the next (RFC 9110, 7.6.1). */
const ofConnection =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding)$/i

const ourCookies: readonly string[] = Object.values(cookieNames)

const isOurs = (cookie: string) => ourCookies.includes(cookie.replace(/=.*/s, '').trim())

type Pair = readonly [string, string]

const pairsOf = (raw: readonly string[]): readonly Pair[] =>
  raw.flatMap((name, index): readonly Pair[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))

/** Cookies without those of the console, which a browser sends along where both share a domain. */
function withoutOurs(value: string): string {
  const kept = value.split(';').filter((part) => !isOurs(part))
  return kept.join(';').trim()
}

/**
 * What the target is told: everything as it came, but for what belongs to the connection, `Authorization` and our own cookies. Nothing is
 * added but the end of the connection: the contract has no forwarding headers (engines 7, agent-protocol 7.1).
 */
export function forTarget(raw: readonly string[]): string[] {
  const pairs = pairsOf(raw)
  const isUpgrade = pairs.some(([name]) => name.toLowerCase() === 'upgrade')
  const isChunked = pairs.some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value))
  const kept = pairs.flatMap(([name, value]): readonly Pair[] => {
    const lower = name.toLowerCase()
    if (ofConnection.test(name) || lower === 'authorization' || lower === 'expect') return []
    if (lower !== 'cookie') return [[name, value]]
    const own = withoutOurs(value)
    return own === '' ? [] : [[name, own]]
  })
  const ends: readonly Pair[] = [
    ['Connection', isUpgrade ? 'Upgrade' : 'close'],
    ...(isChunked ? ([['Transfer-Encoding', 'chunked']] as const) : []),
  ]
  return [...kept, ...ends].flat()
}

/** What the visitor is told: everything, but for what belongs to the connection, and no cookie that would be ours. */
export function forVisitor(raw: readonly string[], isUpgrade = false): string[] {
  return pairsOf(raw)
    .filter(([name, value]) => {
      const lower = name.toLowerCase()
      if (lower === 'set-cookie') return !isOurs(value)
      return isUpgrade || !ofConnection.test(name)
    })
    .flat()
}
