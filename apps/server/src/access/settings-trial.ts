import type { Problem } from '@qd/core/errors'
import { setting } from '@qd/core/resources'
import type { Logger } from 'pino'
import type { Caller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/ports.ts'
import { type Also, createOrder } from '../store/records/commit.ts'
import { type MutableSettings, type SettingValues, trialKey } from '../store/records/settings.ts'
import type { Firewall } from './firewall.ts'
import type { Sessions } from './sessions.ts'

/** Until then a change must be confirmed (behaviour D6). */
const trialMs = 60_000
const retryMs = 5000

type Former = Readonly<Record<string, unknown>>

interface Trial {
  former: Former
  until: number
  cancel(): void
}

/** Reverts changes of settings unless an administrator confirms in time that the console is still reachable. A trial left by a stopped server is reverted when the settings are loaded. */
export function createSettingsTrial({
  clock,
  log,
  settings,
}: {
  clock: Clock
  log: Logger
  settings: MutableSettings
}) {
  /** As it is stored: changes in turn, after each commit. */
  let trial: Trial | null = null
  const inTurn = createOrder()

  /** Stores settings and, in the same transaction, what of them reverts. */
  const put = (next: Former, former: Former, also?: Also<SettingValues>) =>
    settings.put(next, async (db, rows) => {
      await db.deleteFrom('settings').where('key', '=', trialKey).execute()
      const value = JSON.stringify(former)
      if (value !== '{}') await db.insertInto('settings').values({ key: trialKey, value }).execute()
      await also?.(db, rows)
    })

  /** False if no trial, or not `only` this one, is open. Clients that watch the settings hear of it. */
  const end = (reverts: boolean, { also, only }: { also?: Also<SettingValues>; only?: Trial }) =>
    inTurn(async () => {
      const open = trial
      if (open === null || (only && only !== open)) return false
      await put(reverts ? { ...settings.get(), ...open.former } : settings.get(), {}, also)
      open.cancel()
      trial = null
      return true
    })

  function begin(former: Former): Trial {
    const expire = async () => {
      try {
        const fields = Object.keys(begun.former)
        if (await end(true, { only: begun })) log.warn({ fields }, 'settings not confirmed; previous settings restored')
      } catch (err) {
        log.error({ err }, 'failed to restore the previous settings; retrying')
        begun.cancel = clock.after(retryMs, () => void expire())
      }
    }
    const begun = { former, until: clock.now() + trialMs, cancel: clock.after(trialMs, () => void expire()) }
    return begun
  }

  return {
    until: () => trial?.until ?? null,
    /** With `onTrial`, risky changes revert after a minute, as do those of an open trial; otherwise they are kept. */
    save: (next: SettingValues, { onTrial, also }: { onTrial: boolean; also: Also<SettingValues> }) =>
      inTurn(async () => {
        const before = settings.get()
        const risky = riskyChanges(next, before)
        const open = trial?.former ?? {}
        const begins = onTrial && risky.length > 0
        const former: Former = begins
          ? { ...Object.fromEntries(risky.map((field) => [field, before[field]])), ...open }
          : Object.fromEntries(Object.entries(open).filter(([field]) => !risky.includes(field)))
        await put(next, former, also)
        if (trial && !begins && Object.keys(former).length > 0) {
          trial.former = former
          return
        }
        trial?.cancel()
        trial = begins ? begin(former) : null
      }),
    keep: (also: Also<SettingValues>) => end(false, { also }),
    revert: (also: Also<SettingValues>) => end(true, { also }),
  }
}

function riskyChanges(next: SettingValues, before: SettingValues): string[] {
  const text = (value: unknown) => JSON.stringify(value)
  const initial: Readonly<Record<string, unknown>> = setting.initial
  return (setting.trial?.fields ?? []).filter(
    (name) => text(next[name]) !== text(before[name]) && text(next[name]) !== text(initial[name]),
  )
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
