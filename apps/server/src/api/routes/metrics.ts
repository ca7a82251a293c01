import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { demand, type Viewer } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { bearerOf, type Gate, hasQueryToken } from '../../access/gate.ts'
import { plainAddress } from '../../kernel/net/address-ranges.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { badToken } from '../../store/records/api-tokens.ts'
import type { Settings } from '../../store/records/settings.ts'
import type { HttpContext } from '../http/request.ts'
import { type Family, type FamilyParts, families, familyText, labelText } from '../metrics/families.ts'

/** How long a response is reused. */
const freshMs = 1000
/** Maximum number of cached responses (one per caller). */
const maxKept = 8
/** Families written before other calls get their turn. */
const slice = 4

const contentType = 'text/plain; version=0.0.4; charset=utf-8'
const compress = promisify(gzip)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** What a proxy adds: the peer is then not whom the call is from. */
const forwarding = ['forwarded', 'x-real-ip', 'via']

/** True for a call of this machine itself, as far as that can be known. Of a foreign page in a browser of this machine it is not. */
export function isLocal({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = plainAddress(socket.remoteAddress ?? '')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || !loopback.check(address, family)) return false
  if (Object.keys(headers).some((name) => forwarding.includes(name) || name.startsWith('x-forwarded-'))) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  // A name of somebody's domain that was made to lead here; a name without a dot belongs to nobody.
  return isIP(host) !== 0 || !host.includes('.') || host.endsWith('.localhost')
}

/** `GET /metrics`: figures for existing monitoring. Errors: `badToken`, `tokenForbidden`; 401 without a token from elsewhere. */
export function createMetricsRoute(parts: FamilyParts & { gate: Gate; settings: Settings }) {
  const { gate, settings, clock } = parts
  const kept = new Map<string, { at: number; text: Promise<string>; packed: Promise<Buffer> | null }>()
  const loop = createLoopDelay()

  /** Null: somebody on this machine. */
  async function viewerOf(request: IncomingMessage): Promise<{ viewer: Viewer | null; key: string }> {
    if (hasQueryToken(request)) throw badToken('API token required')
    if (bearerOf(request) !== null) {
      const { viewer, token } = await gate.identify(request)
      if (!token) throw badToken('API token required')
      demand(viewer, { audience: 'user', scope: server.scopes.read })
      return { viewer, key: `token ${token.id}` }
    }
    const { web_real_ip_header, agent_real_ip_header } = settings.get()
    if (web_real_ip_header || agent_real_ip_header || !isLocal(request)) throw badToken('API token required')
    return { viewer: null, key: 'local' }
  }

  async function write(viewer: Viewer | null): Promise<string> {
    let text = ''
    let count = 0
    for (const family of families(parts, viewer)) {
      text += familyText(family)
      if (++count % slice === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return text + familyText(loop.family())
  }

  return async (context: HttpContext): Promise<Response> => {
    const { viewer, key } = await viewerOf(context.env.incoming)
    const known = kept.get(key)
    const entry =
      known && Math.abs(clock.now() - known.at) < freshMs
        ? known
        : { at: clock.now(), text: write(viewer), packed: null }
    kept.delete(key)
    kept.set(key, entry)
    if (kept.size > maxKept) kept.delete(kept.keys().next().value as string)
    const headers = { ...apiHeaders, 'Content-Type': contentType, Vary: 'Accept-Encoding' }
    if (!/\bgzip\b/.test(context.req.header('Accept-Encoding') ?? ''))
      return new Response(await entry.text, { headers })
    entry.packed ??= entry.text.then((text) => compress(text, { level: 1 }))
    const packed = (await entry.packed) as Uint8Array<ArrayBuffer>
    return new Response(packed, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
  }
}

/** Timers by which it is measured. */
const everyMs = 10

/** How late the event loop is, measured from the first scrape on: until then it costs nothing. */
function createLoopDelay() {
  const histogram = monitorEventLoopDelay({ resolution: everyMs })
  let isOn = false
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - everyMs / 1000)
  return {
    family(): Family {
      if (!isOn) histogram.enable()
      isOn = true
      const quantile = (part: number) =>
        [labelText({ quantile: part }), histogram.count > 0 ? seconds(histogram.percentile(part * 100)) : null] as const
      return {
        name: 'quarterdeck_event_loop_delay_seconds',
        help: 'Delay of 10 ms timers since the first scrape; quantile 1 is the worst.',
        type: 'summary',
        samples: [quantile(0.5), quantile(0.99), quantile(1)],
      }
    },
  }
}
