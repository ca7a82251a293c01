import { AppError } from '@qd/core/errors'
import type { Caller } from '../caller.ts'
import type { Audit } from '../records/audit.ts'
import { checkPassword } from '../records/passwords.ts'
import type { Accounts } from '../records/rows.ts'
import type { Settings } from '../records/settings.ts'
import type { Limits } from './limits.ts'
import type { Sessions } from './sessions.ts'

/** A run on no more servers than this asks for nothing (decisions.md, "Step-up"). */
const freeServers = 10

/** Asks for the password again before what a stolen sign-in must not do. Source: decisions.md "Step-up", behaviours N-11, R-12. */
export interface StepUp {
  /** Errors: `stepUpRequired` where the sign-in has not proved itself lately. API tokens are never asked. */
  demand(caller: Caller): void
  /** The same for runs that somebody starts by hand, where they reach many servers. */
  demandFor(caller: Caller, servers: number): void
  /** Proves a sign-in by its password, which is only read where somebody is signed in. Errors: `unauthorized`, `wrongPassword`, `tooMany`. */
  prove(caller: Caller, password: () => Promise<string>): Promise<void>
}

/** Builds it; the setting `step_up` switches it off. */
export function createStepUp(parts: {
  accounts: Accounts
  sessions: Sessions
  settings: Settings
  limits: Limits
  audit: Audit
}): StepUp {
  const { accounts, sessions, settings, limits, audit } = parts

  function demand({ session }: Caller) {
    if (session === null || !settings.get().step_up || sessions.isProved(session)) return
    throw new AppError('stepUpRequired')
  }

  return {
    demand,
    demandFor(caller, servers) {
      if (servers > freeServers) demand(caller)
    },
    async prove(caller, password) {
      const { session, viewer, address } = caller
      const user = viewer.id === null ? undefined : accounts.find(viewer.id)
      if (session === null || !user) throw new AppError('unauthorized')
      const given = await password()
      const leave = await limits.enter(address, user.username)
      const isRight = await checkPassword(user.password_hash, given).finally(leave)
      audit.record({ caller, action: 'step-up', result: isRight ? 'ok' : 'refused' })
      if (!isRight) {
        limits.failed(address, user.username)
        throw new AppError('wrongPassword')
      }
      limits.succeeded(address, user.username)
      await sessions.prove(session)
    },
  }
}
