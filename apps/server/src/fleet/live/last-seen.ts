import { isDeepStrictEqual } from 'node:util'
import type { Base } from '../../base.ts'
import type { Engine } from '../../kernel/engine.ts'
import type { LastReport, ServerRow } from '../../store/records/rows.ts'
import type { LiveState } from './live-store.ts'

const tickMs = 1000
const everyMs = 60_000
/** Per tick, so that a fleet that connected together doesn't block other calls once a minute. */
const maxAtOnce = (servers: number) => Math.max(20, Math.ceil(servers / 30))

/** Stores reports: once a minute while a server reports, at once when it goes silent or its facts change. */
export function createLastSeen(
  { servers, clock, log }: Pick<Base, 'servers' | 'clock' | 'log'>,
  live: LiveState,
): Engine {
  const moved = new Set<number>()
  let problem: string | null = null
  let cancel = () => {}
  let unlisten = () => {}

  const compared = new Map<number, Pick<ServerRow, 'host' | 'geoip'>>()
  const isOther = (id: number) => {
    const row = servers.find(id)
    const [host, geoip] = [live.hostOf(id), live.geoipOf(id)]
    const last = compared.get(id)
    if (!row || (last?.host === host && last.geoip === geoip)) return false
    if (!isDeepStrictEqual([row.host, row.geoip], [host, geoip])) return true
    compared.set(id, { host, geoip })
    return false
  }
  const isDue = (id: number) => {
    const stored = servers.find(id)?.last_seen_at ?? 0
    return isOther(id) || live.lastActive(id) === null || clock.now() - stored >= everyMs || clock.now() < stored
  }
  async function write(ids: readonly number[]) {
    for (const id of ids) moved.delete(id)
    try {
      const reports = ids.flatMap((id): [number, LastReport][] => {
        const at = live.lastSeen(id)
        if (at === null) return []
        return [[id, { last_seen_at: at, ...(isOther(id) && { host: live.hostOf(id), geoip: live.geoipOf(id) }) }]]
      })
      await servers.seen(new Map(reports))
      problem = null
    } catch (error) {
      for (const id of ids) moved.add(id)
      problem = 'failed to write last-seen times'
      log.error({ err: error }, problem)
    }
  }
  async function tick() {
    const due = [...moved].filter(isDue)
    const silent = due.filter((id) => live.lastActive(id) === null)
    await write([...new Set([...silent, ...due])].slice(0, maxAtOnce(servers.all().length)))
    cancel = clock.after(tickMs, () => void tick())
  }
  return {
    name: 'last-seen',
    async start() {
      unlisten = live.onChange((id) => moved.add(id))
      cancel = clock.after(tickMs, () => void tick())
    },
    problem: () => problem,
    async stop() {
      unlisten()
      cancel()
      await write([...moved])
    },
  }
}
