import {
  type AnyRow,
  type Resource,
  type ResourceName,
  titleOf,
  type View,
} from '../../../packages/core/src/define/index.ts'
import { cron, resourceByName, server } from '../../../packages/core/src/resources/index.ts'
import { onlineWithinMs } from '../../../packages/core/src/resources/online.ts'

/** The time in these tests: 20 November 2026, 13:32:07 UTC. */
export const now = Date.parse('2026-11-20T13:32:07Z')

const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

/** A server as it was read; `seenMsAgo` null for one that never came. */
export function serverRow({
  id,
  name = `server-${id}`,
  cpu = 20,
  seenMsAgo = 1_000,
  owner = 1,
  isConnected = seenMsAgo !== null && seenMsAgo <= onlineWithinMs,
}: {
  id: number
  name?: string
  cpu?: number
  seenMsAgo?: number | null
  owner?: number
  isConnected?: boolean
}): AnyRow {
  const seen = seenMsAgo === null ? null : new Date(now - seenMsAgo).toISOString()
  const reported = {
    host: { mem_total: 100, disk_total: 100 },
    state: { cpu, mem_used: 40, disk_used: 50, uptime: 7560 },
  }
  return server.read.parse({
    id,
    name,
    created_at: minutesAgo(2 * 24 * 60),
    // The server discards the last report when the agent's stream ends.
    last_active: isConnected ? seen : null,
    last_seen_at: seen,
    owner: { id: owner, username: 'someone', admin: owner === 1 },
    ...(seen ? reported : {}),
  })
}

/** A task as it was read: scheduled daily at three, on no server. */
export function cronRow(values: { id: number } & Readonly<Record<string, unknown>>): AnyRow {
  return cron.read.parse({
    name: `task-${values.id}`,
    scheduler: '0 0 3 * * *',
    command: 'true',
    updated_at: '2026-11-01T00:00:00Z',
    owner: { id: 1, username: 'admin', admin: true },
    ...values,
  })
}

/** A view over these records. */
export function viewOf(records: Partial<Record<ResourceName, readonly AnyRow[]>>): View {
  const all = (resource: ResourceName) => records[resource] ?? []
  const byId = new Map(Object.entries(records).map(([name, rows]) => [name, new Map(rows.map((row) => [row.id, row]))]))
  const find = (resource: ResourceName, id: number) => byId.get(resource)?.get(id)
  return {
    now,
    find,
    all,
    title(resource, id) {
      const row = find(resource, id)
      return row ? titleOf(resourceByName(resource) as Resource, row) : null
    },
    referring: (resource, field, id) =>
      all(resource).flatMap((row) => ((row[field] as number[]).includes(id) ? [row.id] : [])),
    trend: () => [],
  }
}
