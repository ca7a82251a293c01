import type { Base } from '../base.ts'
import type { Engine } from '../engine.ts'
import type { LiveState } from './live-state.ts'

const tickMs = 1000
/** A server that goes on reporting is written this often. */
const everyMs = 60_000
/** Servers written in one tick: agents that came together would else make every other call wait once a minute. */
const mostAtOnce = (servers: number) => Math.max(20, Math.ceil(servers / 30))

/** Keeps the time of each server's last report in the database: spread over a minute while it reports, at once when it falls silent. */
export function createLastSeen(
  { servers, clock, log }: Pick<Base, 'servers' | 'clock' | 'log'>,
  live: LiveState,
): Engine {
  const moved = new Set<number>()
  let trouble: string | null = null
  let cancel = () => {}
  let unlisten = () => {}

  const isDue = (id: number) => {
    const stored = servers.find(id)?.last_seen_at ?? 0
    return live.lastActive(id) === null || clock.now() - stored >= everyMs || clock.now() < stored
  }
  async function write(ids: readonly number[]) {
    for (const id of ids) moved.delete(id)
    try {
      const times = ids.flatMap((id): [number, number][] => {
        const at = live.lastSeen(id)
        return at === null ? [] : [[id, at]]
      })
      await servers.seen(new Map(times))
      trouble = null
    } catch (error) {
      for (const id of ids) moved.add(id)
      trouble = 'last reports cannot be stored'
      log.error({ err: error }, trouble)
    }
  }
  async function tick() {
    const due = [...moved].filter(isDue)
    const silent = due.filter((id) => live.lastActive(id) === null)
    await write([...new Set([...silent, ...due])].slice(0, mostAtOnce(servers.all().length)))
    cancel = clock.after(tickMs, () => void tick())
  }
  return {
    name: 'last-seen',
    async start() {
      unlisten = live.onChange((id) => moved.add(id))
      cancel = clock.after(tickMs, () => void tick())
    },
    trouble: () => trouble,
    async stop() {
      unlisten()
      cancel()
      await write([...moved])
    },
  }
}
