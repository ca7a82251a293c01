import { demand, type Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { cron } from '@qd/core/resources'
import type { Accounts, CronRow, Records } from '../rows.ts'
import { texts } from '../texts.ts'

/**
 * Tasks that a record starts must exist and be its owner's, and who attaches them may run tasks (contract http-api 2.6,
 * behaviours S-27, S-28). Errors: `invalid`, `tokenForbidden`.
 */
export function checkTasks(
  input: Readonly<Record<string, unknown>>,
  { viewer, owner, crons, accounts }: { viewer: Viewer; owner: number; crons: Records<CronRow>; accounts: Accounts },
): void {
  const problems = ['fail_trigger_tasks', 'recover_trigger_tasks'].flatMap((field) => {
    const named = input[field] as readonly number[]
    if (named.length > 0) demand(viewer, { audience: 'user', scope: cron.actions.run!.scope })
    const ids = named.filter((id) => {
      const task = crons.find(id)
      return task === undefined || !(accounts.isAdmin(owner) || task.owner_id === owner)
    })
    return ids.length > 0 ? [{ field, code: 'unknownReference', params: { ids } } as const] : []
  })
  if (problems.length > 0) throw new AppError('invalid', { text: texts.permission }, { problems })
}
