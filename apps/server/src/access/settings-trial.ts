import type { Problem } from '@qd/core/errors'
import type { Logger } from 'pino'
import type { Caller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/ports.ts'
import type { Db } from '../store/db/schema.ts'
import { type MutableSettings, type SettingValues, trialKey } from '../store/records/settings.ts'
import type { Also } from '../store/records/table.ts'
import type { Firewall } from './firewall.ts'
import type { Sessions } from './sessions.ts'

/** Until then a change must be confirmed (behaviour D6). */
const trialMs = 60_000

type Former = Readonly<Record<string, unknown>>

/** Reverts changes of settings unless an administrator confirms in time that the console is still reachable. */
export interface SettingsTrial {
  /** Saves; the named fields revert after a minute. An open trial takes them in. */
  begin(next: Readonly<Record<string, unknown>>, fields: readonly string[], also?: Also<SettingValues>): Promise<void>
  settle(fields: readonly string[]): Promise<void>
  keep(also?: Also<SettingValues>): Promise<void>
  revert(also?: Also<SettingValues>): Promise<void>
  until(): number | null
}

/** A trial left by a stopped server is reverted when the settings are loaded. */
export function createSettingsTrial(parts: {
  db: Db
  clock: Clock
  log: Logger
  settings: MutableSettings
}): SettingsTrial {
  const { db, clock, log, settings } = parts
  let trial: { former: Former; until: number; cancel(): void } | null = null

  async function end(): Promise<Former> {
    trial?.cancel()
    const former = trial?.former ?? {}
    trial = null
    await db.deleteFrom('settings').where('key', '=', trialKey).execute()
    return former
  }
  async function store(former: Former): Promise<void> {
    const value = JSON.stringify(former)
    await db
      .insertInto('settings')
      .values({ key: trialKey, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
  const self: SettingsTrial = {
    until: () => trial?.until ?? null,
    async begin(next, fields, also) {
      const now = settings.get()
      const changed = Object.fromEntries(fields.map((field) => [field, now[field]]))
      const former = { ...changed, ...trial?.former }
      trial?.cancel()
      // Stored before the change: a server that stops in between must not keep unconfirmed settings.
      await store(former)
      const cancel = clock.after(trialMs, () => {
        log.warn({ fields: Object.keys(former) }, 'settings not confirmed; previous settings restored')
        self.revert().catch((err: unknown) => log.error({ err }, 'failed to restore the previous settings'))
      })
      trial = { former, until: clock.now() + trialMs, cancel }
      await settings.put(next, also)
    },
    async settle(fields) {
      if (!trial) return
      const left = Object.entries(trial.former).filter(([field]) => !fields.includes(field))
      if (left.length === 0) return void (await end())
      trial = { ...trial, former: Object.fromEntries(left) }
      await store(trial.former)
    },
    async keep(also) {
      if (!trial) return
      await end()
      // Tells watching clients that the trial has ended.
      await settings.put(settings.get(), also)
    },
    async revert(also) {
      if (!trial) return
      const former = await end()
      await settings.put({ ...settings.get(), ...former }, also)
    },
  }
  return self
}

/** Why new settings would lock out their author, judged by the present request: its address, the firewall and the session (behaviour D6). */
export function lockOutOf(
  next: SettingValues,
  before: SettingValues,
  { caller, firewall, sessions }: { caller: Caller; firewall: Firewall; sessions: Pick<Sessions, 'addressOf'> },
): Problem | null {
  const { address, addressWith, session } = caller
  const header = next.web_real_ip_header
  const seen = addressWith?.(header) ?? address
  const problem = (field: string): Problem => ({ field, code: 'lockOut', params: { address: seen } })
  const byHeader = header !== before.web_real_ip_header && seen !== address
  if (!firewall.isShared(seen) && firewall.blocks(seen, next.waf_allowlist) !== null)
    return problem(byHeader ? 'web_real_ip_header' : 'waf_allowlist')
  const isCut = next.session_bound_to_address && session !== null && sessions.addressOf(session) !== seen
  return isCut ? problem(byHeader ? 'web_real_ip_header' : 'session_bound_to_address') : null
}
