import { type GeoIp, type Host, sampleMetrics, type WatchedMetrics } from '@qd/core/schemas'
import type { Base } from '../../base.ts'
import type { LiveState, Maintenance, Pressure } from '../../fleet/live/live-store.ts'
import { type LiveView, publicHostOf } from '../../fleet/live/view.ts'
import type { ServerRow } from '../../store/records/rows.ts'
import type { WatchedHosts } from '../../watch/hosts/watched.ts'
import type { Pending } from './pending.ts'

export const beatMs = 2000

/** Frames of the changes-only protocol (docs/reference/live-feed.md). */
export type ChangeFrames = ReturnType<typeof createChangeFrames>

interface Sent {
  row: ServerRow
  host: Host
  geoip: GeoIp
  pressure: Pressure
  watched: WatchedMetrics
  maintenance: Maintenance
  sensors: string
  vector: number[]
}

interface News {
  id: number
  before: ServerRow | null
  after: ServerRow | null
  isRow: boolean
  sample: string
  sensors: string
}

export function createChangeFrames(
  { servers, clock, settings }: Pick<Base, 'servers' | 'clock' | 'settings'>,
  { live, watched }: { live: LiveState; watched: Pick<WatchedHosts, 'of'> },
  pending: Pending,
) {
  const sent = new Map<number, Sent>()
  const touched = new Set<number>()

  function read(row: ServerRow): Sent {
    const { id } = row
    const entry = {
      row,
      host: live.hostOf(id),
      geoip: live.geoipOf(id),
      pressure: live.pressureOf(id),
      watched: watched.of(id),
      maintenance: live.maintenanceOf(id),
      sensors: sensorsOf(id),
      vector: sampleVector(live, id),
    }
    sent.set(id, entry)
    return entry
  }

  function sensorsOf(id: number): string {
    const { temperatures, gpu } = live.sampleOf(id)
    return temperatures || gpu ? JSON.stringify({ id, temperatures: temperatures ?? [], gpu: gpu ?? [] }) : ''
  }

  function newsOf(id: number): News | null {
    const before = sent.get(id)
    const after = servers.find(id) ?? null
    if (!after) {
      sent.delete(id)
      return before ? { id, before: before.row, after, isRow: false, sample: '', sensors: '' } : null
    }
    const now = read(after)
    if (!before || isOtherRow(before, now)) {
      return { id, before: before?.row ?? null, after, isRow: true, sample: '', sensors: '' }
    }
    const moved = differences(before.vector, now.vector)
    const sensors =
      now.sensors === before.sensors ? '' : now.sensors || JSON.stringify({ id, temperatures: [], gpu: [] })
    if (moved.length === 0 && sensors === '') return null
    return { id, before: before.row, after, isRow: false, sample: moved.length > 0 ? `[${id},${moved}]` : '', sensors }
  }

  const rowTexts = new Map<string, string>()
  function rowText(row: ServerRow, view: LiveView): string {
    const { id } = row
    const all = view.seesAll(row)
    const hosts = all && view.seesHosts(settings)
    const key = `${id} ${all} ${hosts}`
    const known = rowTexts.get(key)
    if (known !== undefined) return known
    const text = JSON.stringify(toFeedRow(sent.get(id)!, live, { all, hosts }))
    rowTexts.set(key, text)
    return text
  }

  function frame(view: LiveView, news: readonly News[]): Buffer | null {
    const sees = (row: ServerRow | null) => row !== null && view.sees(row)
    const seen = news.filter(({ after }) => sees(after))
    // A row is sent anew to views that begin or cease to see all of it.
    const asRow = seen.filter(({ isRow, before }) => isRow || !sees(before))
    const asSample = seen.filter(({ isRow, before }) => !isRow && sees(before))
    const gone = news.filter(({ before, after }) => sees(before) && !sees(after)).map(({ id }) => id)
    const lists = [
      listText(
        'servers',
        asRow.map(({ after }) => rowText(after!, view)),
      ),
      listText('gone', gone.map(String)),
      listText(
        'samples',
        asSample.flatMap(({ sample }) => sample || []),
      ),
      listText(
        'sensors',
        asSample.flatMap(({ sensors }) => sensors || []),
      ),
      listText('records', pending.records(view)?.map((notice) => JSON.stringify(notice)) ?? []),
      listText('runs', pending.runs(view)?.map((run) => JSON.stringify(run)) ?? []),
    ].join('')
    return lists === '' ? null : Buffer.from(`{"now":${clock.now()}${lists}}`)
  }

  return {
    /** The full list as of the last `changes`; send that to other sockets first. */
    reset(view: LiveView, online: number): Buffer {
      for (const row of servers.all()) if (!sent.has(row.id)) read(row)
      rowTexts.clear()
      const rows = servers.all().filter((row) => view.sees(row))
      const texts = rows.map((row) => rowText(row, view))
      rowTexts.clear()
      const versions = view.key === 'guest' ? '' : `,"versions":${JSON.stringify(pending.versions())}`
      return Buffer.from(
        `{"now":${clock.now()},"reset":true,"beat":${beatMs},"online":${online}${versions},"servers":[${texts.join(',')}]}`,
      )
    },
    /** Changes since the last call by view key. */
    changes(views: readonly LiveView[]): ReadonlyMap<string, Buffer> {
      const news = [...touched].flatMap((id) => newsOf(id) ?? [])
      touched.clear()
      const frames = new Map<string, Buffer>()
      if (news.length > 0 || !pending.isEmpty()) {
        for (const view of views) {
          const bytes = frame(view, news)
          if (bytes) frames.set(view.key, bytes)
        }
      }
      rowTexts.clear()
      pending.clear()
      return frames
    },
    touch: (id: number): void => void touched.add(id),
  }
}

const listText = (key: string, texts: readonly string[]) => (texts.length > 0 ? `,"${key}":[${texts.join(',')}]` : '')

function isOtherRow(before: Sent, now: Sent): boolean {
  const { row } = now
  const fields = ['name', 'display_index', 'public_note', 'hide_for_guest', 'owner_id'] as const
  return (
    before.host !== now.host ||
    before.geoip !== now.geoip ||
    before.pressure !== now.pressure ||
    before.watched !== now.watched ||
    before.maintenance !== now.maintenance ||
    fields.some((field) => before.row[field] !== row[field])
  )
}

const instant = (at: number | null) => (at === null ? null : new Date(at).toISOString())

/** See docs/reference/live-feed.md. `all`: false for the public view; `hosts`: with what runs there. */
function toFeedRow(
  { row, host, geoip, pressure, watched, maintenance, vector }: Sent,
  live: LiveState,
  { all, hosts }: { all: boolean; hosts: boolean },
) {
  return {
    id: row.id,
    name: row.name,
    display_index: row.display_index,
    public_note: row.public_note,
    host: all ? host : publicHostOf(host),
    state: live.sampleOf(row.id),
    geoip: all ? geoip : { ip: {}, ...(geoip.country_code ? { country_code: geoip.country_code } : {}) },
    last_active: instant(vector[0] || null),
    pressure,
    // Empty, so that a viewer who may no longer know it forgets it.
    ...(all && { watched: hosts ? watched : {} }),
    maintenance_until: maintenance.until,
    next_maintenance: maintenance.next,
    ...(all ? { last_seen_at: instant(live.lastSeen(row.id)) } : {}),
    figures: vector,
  }
}

function sampleVector(live: LiveState, id: number): number[] {
  const state = live.sampleOf(id)
  const metrics = sampleMetrics.map(([name, stepsPerUnit]) => Math.round((state[name] ?? 0) * stepsPerUnit))
  return [live.lastActive(id) ?? 0, ...metrics]
}

/** Difference without trailing zeros; empty if equal. */
function differences(before: readonly number[], after: readonly number[]): number[] {
  const differing = after.map((value, index) => value - (before[index] ?? 0))
  return differing.slice(0, differing.findLastIndex((value) => value !== 0) + 1)
}
