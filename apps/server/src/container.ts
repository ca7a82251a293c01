import type { Limits } from './http/limits.ts'
import type { Sessions } from './http/sessions.ts'
import type { StepUp } from './http/step-up.ts'
import type { MutableAccounts } from './resources/accounts.ts'
import type { LoadedRecords } from './resources/registry.ts'
import type { MutableSettings } from './resources/settings.ts'
import type { Base, Engines } from './services.ts'

/** Every part of the running server, for what answers routes. */
export interface Container extends Omit<Base, keyof LoadedRecords>, LoadedRecords, Engines {
  accounts: MutableAccounts
  settings: MutableSettings
  sessions: Sessions
  limits: Limits
  stepUp: StepUp
  /** The site's own agent secret, for hosts that are nobody's. */
  agentSecret: string
}
