import { type Migration, Migrator } from 'kysely'
import type { AnyDb, Engine } from './columns.ts'
import { first } from './migrations/0001-first.ts'
import { waf } from './migrations/0002-waf.ts'
import { tokensAndTransfers } from './migrations/0003-tokens-transfers.ts'
import { rollouts } from './migrations/0004-rollouts.ts'
import { notifiers } from './migrations/0005-notifiers.ts'
import { services } from './migrations/0006-services.ts'
import { alerts } from './migrations/0007-alerts.ts'
import { history } from './migrations/0008-history.ts'
import { runStates } from './migrations/0009-run-states.ts'
import { schedulePhase } from './migrations/0010-schedule-phase.ts'
import { shortestInterval } from './migrations/0011-shortest-interval.ts'
import { hostFacts } from './migrations/0012-host-facts.ts'
import { firewall } from './migrations/0013-firewall.ts'
import { incidentDeeds } from './migrations/0014-incident-deeds.ts'
import { account } from './migrations/0015-account.ts'
import { auditChanges } from './migrations/0016-audit.ts'
import { ddns } from './migrations/0017-ddns.ts'
import { signInProviders } from './migrations/0018-sign-in-providers.ts'
import { nat } from './migrations/0019-nat.ts'
import { following } from './migrations/0020-following.ts'
import { taskCounts } from './migrations/0021-task-counts.ts'
import { agentSecrets } from './migrations/0022-agent-secrets.ts'
import { consoleNames } from './migrations/0023-console-names.ts'
import { incidentNames } from './migrations/0024-incident-names.ts'
import { runPrograms } from './migrations/0025-run-programs.ts'
import { enrollmentTimes } from './migrations/0026-enrollment-times.ts'
import { targetNames } from './migrations/0027-target-names.ts'

const steps: Readonly<Record<string, (db: AnyDb, engine: Engine) => Promise<void>>> = {
  '0001-first': first,
  '0002-waf': waf,
  '0003-tokens-transfers': tokensAndTransfers,
  '0004-rollouts': rollouts,
  '0005-notifiers': notifiers,
  '0006-services': services,
  '0007-alerts': alerts,
  '0008-history': history,
  '0009-run-states': runStates,
  '0010-schedule-phase': schedulePhase,
  '0011-shortest-interval': shortestInterval,
  '0012-host-facts': hostFacts,
  '0013-firewall': firewall,
  '0014-incident-deeds': incidentDeeds,
  '0015-account': account,
  '0016-audit': auditChanges,
  '0017-ddns': ddns,
  '0018-sign-in-providers': signInProviders,
  '0019-nat': nat,
  '0020-following': following,
  '0021-task-counts': taskCounts,
  '0022-agent-secrets': agentSecrets,
  '0023-console-names': consoleNames,
  '0024-incident-names': incidentNames,
  '0025-run-programs': runPrograms,
  '0026-enrollment-times': enrollmentTimes,
  '0027-target-names': targetNames,
}

/** Oldest first. */
export const migrationNames: readonly string[] = Object.keys(steps)

/** Runs missing migrations, up to `last`. Throws the failed step's error. */
export async function migrate(db: AnyDb, engine: Engine, last?: string): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, up]): [string, Migration] => [name, { up: (handle) => up(handle, engine) }]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
}
