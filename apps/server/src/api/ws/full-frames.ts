import { zeroInstant } from '@qd/core/define'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-state.ts'
import { type LiveView, publicHostOf } from '../../fleet/live/view.ts'
import type { ServerRow } from '../../store/records/rows.ts'

/** Builds the contract's full snapshots, with each server's text made once per change. */
export interface FullFrames {
  frame(view: LiveView, options: { first: boolean; online: number }): Buffer
}

interface Texts {
  row: ServerRow
  version: number
  /** By `first` and by whether the viewer sees everything. */
  cached: Map<string, string>
}

/** Full frames of `/ws/server`. Source: contract http-api 5.2. */
export function createFullFrames({ servers, clock }: Pick<Base, 'servers' | 'clock'>, live: LiveState): FullFrames {
  const texts = new Map<number, Texts>()

  function textOf(row: ServerRow, first: boolean, all: boolean): string {
    const version = live.versionOf(row.id)
    let entry = texts.get(row.id)
    if (entry?.row !== row || entry.version !== version) {
      entry = { row, version, cached: new Map() }
      texts.set(row.id, entry)
    }
    const variant = `${first} ${all}`
    const known = entry.cached.get(variant)
    if (known !== undefined) return known
    const text = JSON.stringify(toFullRow(row, live, first, all))
    entry.cached.set(variant, text)
    return text
  }

  servers.onChange(({ before, after }) => {
    if (before && !after) texts.delete(before.id)
  })
  return {
    frame(view, { first, online }) {
      const rows = servers.all().filter(view.sees)
      const list = rows.map((row) => textOf(row, first, view.seesAll(row))).join(',')
      const now = Math.floor(clock.now() / 1000) * 1000
      return Buffer.from(`{"now":${now},"online":${online}${list && `,"servers":[${list}]`}}`)
    },
  }
}

/** A server as the contract's frames have it: what is empty or zero is left out. Ours also says when one that is gone was last heard, and until when one is in maintenance. */
function toFullRow(row: ServerRow, live: LiveState, first: boolean, all: boolean) {
  const host = live.hostOf(row.id)
  const active = live.lastActive(row.id)
  const seen = active === null ? live.lastSeen(row.id) : null
  const country = live.geoipOf(row.id).country_code
  return {
    id: row.id,
    name: row.name || undefined,
    public_note: (first && row.public_note) || undefined,
    display_index: row.display_index || undefined,
    host: all ? host : publicHostOf(host),
    state: live.sampleOf(row.id),
    country_code: country || undefined,
    last_active: active === null ? zeroInstant : new Date(active).toISOString(),
    maintenance_until: live.maintenanceOf(row.id) ?? undefined,
    ...(seen === null ? {} : { last_seen_at: new Date(seen).toISOString() }),
  }
}
