import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { demand, hostMetricNames, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { server } from '@qd/core/resources'
import { bearerOf, type Gate, hasQueryToken } from '../../access/gate.ts'
import { plainAddress } from '../../kernel/net/address-ranges.ts'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { badToken } from '../../store/records/api-tokens.ts'
import { ownsServer, seesHosts } from '../../store/records/rights.ts'
import type { Settings } from '../../store/records/settings.ts'
import type { HttpContext } from '../http/request.ts'
import { type Family, type FamilyParts, families, familyText, labelText } from '../metrics/families.ts'

const freshMs = 1000
const maxKept = 8
const slice = 4

const contentType = 'text/plain; version=0.0.4; charset=utf-8'
const compress = promisify(gzip)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** A proxy's headers: the peer isn't the client. */
const forwarding = ['forwarded', 'x-real-ip', 'via']

/** Whether the call is from this host itself, and not from a web page open on it. */
export function isLocal({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = plainAddress(socket.remoteAddress ?? '')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || !loopback.check(address, family)) return false
  if (Object.keys(headers).some((name) => forwarding.includes(name) || name.startsWith('x-forwarded-'))) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  // A dotted name could be a foreign domain pointing here.
  return isIP(host) !== 0 || !host.includes('.') || host.endsWith('.localhost')
}

/** `GET /metrics`. Errors: `badToken`, `tokenForbidden`. */
export function createMetricsRoute(parts: FamilyParts & { gate: Gate; settings: Settings }) {
  const { gate, settings, clock, servers, watchedHosts } = parts
  const kept = new Map<string, { at: number; text: Promise<string>; packed: Promise<Buffer> | null }>()
  const loop = createLoopDelay()

  /** Null: a local scraper. */
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

  async function write(viewer: Viewer | null, hosts: boolean): Promise<string> {
    let text = ''
    let count = 0
    for (const family of families(parts, viewer, hosts)) {
      text += familyText(family)
      if (++count % slice === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return text + familyText(loop.family())
  }

  return async (context: HttpContext): Promise<Response> => {
    const { viewer, key: who } = await viewerOf(context.env.incoming)
    const hosts = wantsHosts(context) && (viewer === null || seesHosts(settings, viewer))
    const key = `${who} ${hosts}`
    if (hosts) {
      const ids = servers
        .all()
        .filter((row) => viewer === null || ownsServer(viewer, row))
        .map(({ id }) => id)
      // Values come with later scrapes: a scraper doesn't wait.
      void watchedHosts.ask(hostMetricNames, ids, 0)
    }
    const known = kept.get(key)
    const entry =
      known && Math.abs(clock.now() - known.at) < freshMs
        ? known
        : { at: clock.now(), text: write(viewer, hosts), packed: null }
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

/** `?host_metrics=all`. Errors: `invalid`. */
function wantsHosts(context: HttpContext): boolean {
  const asked = context.req.query('host_metrics')
  if (asked === undefined || asked === 'all') return asked !== undefined
  throw new AppError('invalid', { text: 'host_metrics must be all' })
}

const everyMs = 10

/** Measured from the first scrape on. */
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
