import { setting } from '@qd/core/resources'
import { isTimeZone } from '@qd/core/schemas'
import { createListeners } from '../../kernel/listeners.ts'
import type { Db } from '../db/schema.ts'

/** Settings as one typed object, in memory. */
export interface Settings {
  /** A copy-on-write record of core's `setting` input. */
  get(): SettingValues
  version(): number
  /** IANA name of the zone that schedules and days count in: the setting, or the host's where it is empty. */
  timeZone(): string
  onChange(listen: () => void): () => void
}

/** Values of the site settings (core's `setting` input). */
export interface SettingValues {
  readonly custom_code: string
  readonly custom_code_dashboard: string
  readonly site_name: string
  readonly language: string
  readonly install_host: string
  /** Where people open the console. */
  readonly dashboard_host: string
  /** Names besides its own that no NAT profile may take, with commas. */
  readonly reserved_hosts: string
  /** Names below which members may use NAT, with commas; empty: administrators only. */
  readonly nat_domains: string
  /** DNS servers that zones are asked of, with commas; empty: well-known ones. */
  readonly dns_servers: string
  readonly audit_days: number
  readonly audit_entries: number
  /** How many records of each kind a user may have who is no admin. */
  readonly user_records: number
  readonly tls: boolean
  /** IANA name; empty means the host's. */
  readonly time_zone: string
  readonly force_auth: boolean
  readonly session_days: number
  /** A sign-in counts from the address alone that it was made from. */
  readonly session_bound_to_address: boolean
  readonly enable_ip_change_notification: boolean
  readonly enable_plain_ip_in_notification: boolean
  readonly ip_change_notification_group_id: number
  /** Core's `SettingCover`: which servers the IP-change notice is about. */
  readonly cover: number
  /** Servers that the IP-change notice leaves out, or is only about. */
  readonly ignored_ip_notification: readonly number[]
  /** The header that names the client of a call behind a proxy; see net/client-address.ts. */
  readonly web_real_ip_header: string
  /** The same for agents. */
  readonly agent_real_ip_header: string
  /** Addresses and ranges that the firewall lets alone. */
  readonly waf_allowlist: readonly string[]
  /** Addresses and hosts in the own network that messages may go to. */
  readonly outbound_allowlist: readonly string[]
  readonly [key: string]: string | number | boolean | readonly number[] | readonly string[]
}

/** Settings that may be changed. */
export interface MutableSettings extends Settings {
  put(values: Readonly<Record<string, unknown>>): Promise<void>
}

/** The row beside the settings that holds what comes back, by field; it is there while a trial lasts (access/settings-trial.ts). */
export const trialKey = 'trial'

/** What a fresh install has besides the zeros of the form. */
const first = { site_name: 'Quarterdeck' }

/** Loads the settings; `hostTimeZone` is the zone of this machine. A missing or damaged value is the default. */
export async function createSettings(parts: { db: Db; hostTimeZone: string }): Promise<MutableSettings> {
  const { db, hostTimeZone } = parts
  const listeners = createListeners<[]>()
  let version = 1
  await undoTrial(db)
  let values = read(await db.selectFrom('settings').selectAll().execute())
  // A stored zone that this machine does not know must not stop the scheduler.
  const zone = () => (isTimeZone(values.time_zone) ? values.time_zone : hostTimeZone)
  let timeZone = zone()
  return {
    get: () => values,
    version: () => version,
    timeZone: () => timeZone,
    onChange: listeners.add,
    async put(next) {
      const rows = Object.entries(next).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
      await db.transaction().execute(async (handle) => {
        await handle.deleteFrom('settings').where('key', '!=', trialKey).execute()
        await handle.insertInto('settings').values(rows).execute()
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
      // A damaged value must not keep the server from starting: the default stands.
    }
  }
  return defaults as SettingValues
}

/** Takes back what was on trial when the server stopped. Errors: those of the database. */
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
