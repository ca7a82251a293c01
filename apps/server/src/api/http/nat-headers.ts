import { cookieNames } from '@qd/core/api'

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const ofConnection =
  /^(connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding)$/i

const ourCookies: readonly string[] = Object.values(cookieNames)

const isOurs = (cookie: string) => ourCookies.includes(cookie.replace(/=.*/s, '').trim())

type Pair = readonly [string, string]

const pairsOf = (raw: readonly string[]): readonly Pair[] =>
  raw.flatMap((name, index): readonly Pair[] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))

/** Drops the console's cookies, which a shared domain brings along. */
function withoutOurs(value: string): string {
  const kept = value.split(';').filter((part) => !isOurs(part))
  return kept.join(';').trim()
}

/** Request headers for the target: all but hop-by-hop ones, `Authorization` and our cookies. No forwarding headers (contract engines 7, agent-protocol 7.1). */
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

/** Response headers for the visitor: all but hop-by-hop ones, and cookies named like ours. */
export function forVisitor(raw: readonly string[], isUpgrade = false): string[] {
  return pairsOf(raw)
    .filter(([name, value]) => {
      const lower = name.toLowerCase()
      if (lower === 'set-cookie') return !isOurs(value)
      return isUpgrade || !ofConnection.test(name)
    })
    .flat()
}
