import { setting } from '@qd/core/resources'
import { isTimeZone } from '@qd/core/schemas'
import { createListeners } from '../../kernel/listeners.ts'
import type { Db } from '../db/schema.ts'
import type { Also } from './commit.ts'

export interface Settings {
  get(): SettingValues
  version(): number
  /** IANA time zone of schedules and days: the setting, or the host's. */
  timeZone(): string
  onChange(listen: () => void): () => void
}

export interface SettingValues {
  readonly custom_code: string
  readonly custom_code_dashboard: string
  readonly site_name: string
  readonly language: string
  readonly install_host: string
  readonly dashboard_host: string
  /** Names that no NAT profile may take, comma-separated. */
  readonly reserved_hosts: string
  /** Domains for members' NAT profiles, comma-separated; empty: administrators only. */
  readonly nat_domains: string
  /** DNS servers for zone queries, comma-separated; empty: well-known ones. */
  readonly dns_servers: string
  readonly audit_days: number
  readonly audit_entries: number
  readonly user_records: number
  /** Whether users who are no admins read units and other records of their hosts. */
  readonly members_see_hosts: boolean
  readonly tls: boolean
  readonly time_zone: string
  readonly force_auth: boolean
  readonly session_days: number
  /** A session is valid only from its sign-in's address. */
  readonly session_bound_to_address: boolean
  readonly enable_ip_change_notification: boolean
  readonly enable_plain_ip_in_notification: boolean
  readonly ip_change_notification_group_id: number
  /** Core's `SettingCover`, for IP change notifications. */
  readonly cover: number
  /** Servers excluded from IP change notifications, or the only ones. */
  readonly ignored_ip_notification: readonly number[]
  /** Header with the client address behind a proxy; see net/client-address.ts. */
  readonly web_real_ip_header: string
  readonly agent_real_ip_header: string
  readonly waf_allowlist: readonly string[]
  /** Own-network addresses and hosts that messages may go to. */
  readonly outbound_allowlist: readonly string[]
  readonly [key: string]: string | number | boolean | readonly number[] | readonly string[]
}

export interface MutableSettings extends Settings {
  put(values: Readonly<Record<string, unknown>>, also?: Also<SettingValues>): Promise<void>
}

/** Row with the values to revert to, while a trial lasts (access/settings-trial.ts). */
export const trialKey = 'trial'

const first = { site_name: 'Quarterdeck' }

/** Missing or damaged values become defaults. */
export async function createSettings(parts: { db: Db; hostTimeZone: string }): Promise<MutableSettings> {
  const { db, hostTimeZone } = parts
  const listeners = createListeners<[]>()
  let version = 1
  await undoTrial(db)
  let values = read(await db.selectFrom('settings').selectAll().execute())
  // An unknown stored zone must not stop the scheduler.
  const zone = () => (isTimeZone(values.time_zone) ? values.time_zone : hostTimeZone)
  let timeZone = zone()
  return {
    get: () => values,
    version: () => version,
    timeZone: () => timeZone,
    onChange: listeners.add,
    async put(next, also) {
      const rows = Object.entries(next).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
      await db.transaction().execute(async (handle) => {
        await handle.deleteFrom('settings').where('key', '!=', trialKey).execute()
        await handle.insertInto('settings').values(rows).execute()
        await also?.(handle, [next as SettingValues])
      })
      values = next as SettingValues
      timeZone = zone()
      version += 1
      listeners.notify()
    },
  }
}

function read(rows: readonly { key: string; value: string }[]): SettingValues {
  const defaults: Record<string, unknown> = { ...setting.initial, ...first }
  for (const { key, value } of rows) {
    try {
      const parsed: unknown = JSON.parse(value)
      if (typeof parsed === typeof defaults[key]) defaults[key] = parsed
    } catch {
      // A damaged value must not keep the server from starting.
    }
  }
  return defaults as SettingValues
}

/** Reverts a trial that was open when the server stopped. */
async function undoTrial(db: Db): Promise<void> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', trialKey).executeTakeFirst()
  if (!row) return
  await db.transaction().execute(async (handle) => {
    for (const [key, value] of Object.entries(JSON.parse(row.value) as Record<string, unknown>))
      await handle
        .updateTable('settings')
        .set({ value: JSON.stringify(value) })
        .where('key', '=', key)
        .execute()
    await handle.deleteFrom('settings').where('key', '=', trialKey).execute()
  })
}
