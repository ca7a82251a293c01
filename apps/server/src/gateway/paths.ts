/** Where a request leads: `api` and `mcp` to the dashboard, `own` to what this server answers by itself, `none` to nothing. */
type Place = 'api' | 'mcp' | 'own' | 'none'

/** Unreserved, sub-delimiters, `:` and `@`, or an escape (RFC 3986, 3.3), from `/` to `/`. */
const plainPath = /^(\/([\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*)+$/i
/** Escapes that a server may take for a separator, a dot, another escape or an end. */
const ambiguous = /%(2f|5c|2e|25|00)/i

/**
 * Where the target of a request leads. One that names a host, as requests to a proxy do, leads nowhere. Below `/api` and `/mcp` every path leads nowhere that could be read as another one: with `.`, `..`, empty
 * segments, escaped separators or a backslash.
 */
export function placeOf(url: string): Place {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.startsWith('/') || path.startsWith('//')) return 'none'
  if (!/^\/api|^\/mcp(\/|$)/.test(path)) return 'own'
  if (!plainPath.test(path) || ambiguous.test(path)) return 'none'
  const segments = path.split('/').slice(1)
  const isStrange = (segment: string, index: number) =>
    segment === '.' || segment === '..' || (segment === '' && index < segments.length - 1)
  if (segments.some(isStrange)) return 'none'
  if (path.startsWith('/api/v1/')) return 'api'
  return /^\/mcp(\/(download|upload)\/[^/]+)?$/.test(path) ? 'mcp' : 'none'
}
