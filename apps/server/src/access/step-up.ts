import { AppError } from '@qd/core/errors'
import type { Caller } from '../kernel/caller.ts'
import type { Audit } from '../store/records/audit.ts'
import { checkPassword } from '../store/records/passwords.ts'
import type { Accounts } from '../store/records/rows.ts'
import type { Settings } from '../store/records/settings.ts'
import { type Firewall, signIns } from './firewall.ts'
import type { Limits } from './limits.ts'
import { isWrongCode, type SecondFactor } from './second-factor.ts'
import type { Sessions } from './sessions.ts'

/** A run on no more servers needs no password (decisions.md, "Step-up"). */
const freeServers = 10

/** Asks for the password before what a stolen session must not do (decisions.md "Step-up", behaviours N-11, R-12). */
export type StepUp = ReturnType<typeof createStepUp>

export function createStepUp(parts: {
  accounts: Accounts
  sessions: Sessions
  settings: Settings
  limits: Limits
  secondFactor: Pick<SecondFactor, 'check'>
  firewall: Pick<Firewall, 'failed'>
  audit: Audit
}) {
  const { accounts, sessions, settings, limits, secondFactor, firewall, audit } = parts

  function demand({ session }: Caller) {
    if (session === null || !settings.get().step_up || sessions.isProved(session)) return
    throw new AppError('stepUpRequired')
  }

  return {
    /** Errors: `stepUpRequired` if the session has no recent proof. API tokens are never asked. */
    demand,
    demandFor(caller: Caller, servers: number): void {
      if (servers > freeServers) demand(caller)
    },
    /** Proves a session by password and two-factor code, read only from signed-in callers. Returns what `SecondFactor.check` does. Errors: `unauthorized`, `wrongPassword`, `tooMany`, those of a code. */
    async prove(
      caller: Caller,
      proof: () => Promise<{ password: string; code: string | null }>,
    ): Promise<number | null> {
      const { session, viewer, address } = caller
      const user = viewer.id === null ? undefined : accounts.find(viewer.id)
      if (session === null || !user) throw new AppError('unauthorized')
      const { password, code } = await proof()
      const leave = await limits.enter(address, user.username)
      const refuse = (error: unknown) => {
        limits.failed(address, user.username)
        audit.record({ caller, action: 'step-up', result: 'refused' })
        throw error
      }
      if (!(await checkPassword(user.password_hash, password).finally(leave))) refuse(new AppError('wrongPassword'))
      const left = await secondFactor.check(user, code).catch((error: unknown) => {
        if (!isWrongCode(error)) throw error
        firewall.failed(address, user.id, signIns.reason)
        return refuse(error)
      })
      audit.record({ caller, action: 'step-up', result: 'ok' })
      limits.succeeded(address, user.username)
      await sessions.prove(session)
      return left
    },
  }
}
