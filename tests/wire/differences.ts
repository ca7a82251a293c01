import type { Difference, Skip } from './difference.ts'
import { alerts } from './differences-alerts.ts'
import { ddns, nat } from './differences-ddns.ts'
import { history } from './differences-history.ts'
import { notifiers } from './differences-notifiers.ts'
import { records } from './differences-records.ts'
import { services } from './differences-services.ts'
import { settings } from './differences-settings.ts'
import { signIn } from './differences-sign-in.ts'
import { streams } from './differences-streams.ts'
import { tasks } from './differences-tasks.ts'
import { tokens } from './differences-tokens.ts'
import { transfers } from './differences-transfers.ts'
import { usersDifferences } from './differences-users.ts'
import { waf } from './differences-waf.ts'
import { later } from './reasons.ts'

/** Steps of later versions, and what follows from a difference. */
export const skips: readonly Skip[] = [
  { file: 'profile', step: 'login with empty name and empty password', why: 'ours never stores such an account' },
  { file: 'profile', step: 'restore', why: 'nothing to restore' },
  { file: 'settings', step: /error|^maintenance/, why: later },
  {
    file: 'nat',
    step: /^through the tunnel/,
    why: 'raw answers, which tests/agent/replay-nat.test.ts and tests/server/nat.test.ts compare',
  },
  {
    file: 'nat',
    step: /^create: host equal to/,
    why: 'recorded with other settings; tests/server/nat.test.ts has them',
  },
  {
    file: 'delete-cascade',
    step: 'deleted user: PAT',
    why: 'their tokens are deleted with them (tests/server/users.test.ts)',
  },
  { file: 'api-tokens', step: /^PAT: (admin scope|missing admin scope|missing scopes of|unbind)/, why: later },
  {
    file: 'api-tokens-whitelist',
    step: /^(admin endpoint|delete user|file on|terminal|move)/,
    why: later,
  },
  { file: 'waf', step: /^oauth2/, why: later },
  { file: 'force-auth', step: /^oauth2/, why: later },
]

/** Every deliberate difference; a row that is no longer needed fails the replay. */
export const differences: readonly Difference[] = [
  ...alerts,
  ...ddns,
  ...nat,
  ...signIn,
  ...records,
  ...services,
  ...history,
  ...tasks,
  ...notifiers,
  ...streams,
  ...settings,
  ...tokens,
  ...transfers,
  ...usersDifferences,
  ...waf,
]
