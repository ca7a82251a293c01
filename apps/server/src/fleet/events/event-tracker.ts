import { onlineWithinMs } from '@qd/core/resources'
import type { EventKind } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { EventFactsTable } from '../../store/db/schema.ts'
import type { LiveState } from '../live/live-store.ts'

const tickMs = 5000
/** After a larger deviation from real time, one check is skipped: the clock was set. */
const jumpMs = 15_000
/** Agents in containers recompute their boot time, to a second or two (agent contract 10.1). */
const jitterSeconds = 2

export type Facts = Omit<EventFactsTable, 'server_id'>

/** Changes of a server. An unknown value is no change. */
export function compareFacts(before: Facts, after: Facts): Pick<ServerEvent, 'kind' | 'params'>[] {
  const events: Pick<ServerEvent, 'kind' | 'params'>[] = []
  if (before.online !== after.online) events.push({ kind: after.online ? 'online' : 'offline', params: {} })
  if (before.boot_time !== 0 && after.boot_time > before.boot_time + jitterSeconds)
    events.push({ kind: 'restarted', params: { boot_time: after.boot_time } })
  if (before.version !== '' && after.version !== '' && before.version !== after.version)
    events.push({ kind: 'agent-version', params: { before: before.version, after: after.version } })
  if (before.address !== '' && after.address !== '' && before.address !== after.address)
    events.push({ kind: 'ip-changed', params: { before: before.address, after: after.address } })
  return events
}

export function createEventTracker(
  { servers, clock }: Pick<Base, 'servers' | 'clock'>,
  live: LiveState,
  record: Events['record'],
) {
  const known = new Map<number, Facts>()
  const touched = new Set<number>()
  let checkedAt = 0
  let cancel = () => {}

  function check(id: number): void {
    const { boot_time = 0, version = '' } = live.hostOf(id)
    const { ipv4_addr = '', ipv6_addr = '' } = live.geoipOf(id).ip ?? {}
    const seen = live.lastSeen(id)
    const online = Number(seen !== null && Math.abs(clock.now() - seen) <= onlineWithinMs)
    const before = known.get(id) ?? { online: 0, boot_time: 0, version: '', address: '' }
    const after = {
      online,
      boot_time: boot_time || before.boot_time,
      version: version || before.version,
      address: [ipv4_addr, ipv6_addr].filter(Boolean).join('/') || before.address,
    }
    const events = compareFacts(before, after)
    for (const event of events)
      record({ serverId: id, ...event, ...(event.kind === 'offline' && seen !== null && { at: seen }) })
    if (known.has(id) && events.length === 0 && before.address === after.address && before.version === after.version)
      return
    known.set(id, after)
    touched.add(id)
  }

  function tick(): void {
    const now = clock.now()
    if (Math.abs(now - checkedAt - tickMs) < jumpMs) for (const { id } of servers.all()) check(id)
    checkedAt = now
    cancel = clock.after(tickMs, tick)
  }

  return {
    load(rows: readonly EventFactsTable[]): void {
      for (const { server_id, ...facts } of rows) known.set(server_id, facts)
    },
    start(): void {
      checkedAt = clock.now()
      cancel = clock.after(tickMs, tick)
    },
    changed(): EventFactsTable[] {
      const rows = [...touched].flatMap((server_id) => {
        const facts = known.get(server_id)
        return facts ? [{ server_id, ...facts }] : []
      })
      touched.clear()
      return rows
    },
    stop: (): void => cancel(),
  }
}

export interface ServerEvent {
  serverId: number
  kind: EventKind
  params: Readonly<Record<string, string | number>>
  at?: number
}

export interface Events {
  /** Records in the background; failures are logged. Events beyond the hourly maximum are dropped. */
  record(event: ServerEvent): void
}
