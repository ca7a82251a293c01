import { actionOf } from '@qd/core/define'
import { cron } from '@qd/core/resources'
import { scheduleErrorText, scheduleProblem } from '@qd/core/schemas'
import { resolveTargets } from '@qd/core/targets'
import { texts } from '../../kernel/texts.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import type { CronRecords, CronRow } from '../../store/records/rows.ts'
import { toInstant } from '../../store/records/wire.ts'
import { defineEntity, type Entity, type LoadParts, storedFields } from './entity.ts'

type MutableCrons = MutableRecords<CronRow> & CronRecords

/** Naming a task requires the right to run it (contract http-api 2.6). */
export const crons: Entity<'cron', CronRow, MutableCrons> = defineEntity(cron, {
  table: 'crons',
  extend: withOutcomes,
  named: { scope: actionOf(cron, 'run').scope },
  rules: ({ runs, stepUp }, { accounts, servers, follow }) => ({
    byIds: true,
    fieldsOf: (row) => ({
      ...storedFields(cron, row),
      last_executed_at: toInstant(row.last_executed_at),
      cron_job_id: row.task_type === 0 ? row.id : 0,
    }),
    omit: ['command', 'push_successful', 'last_result', 'last_run_id', 'cron_job_id'],
    fresh: { last_executed_at: null, last_result: false, last_run_id: 0, last_counts: {} },
    texts: {
      'cover.notOption': () => texts.permission,
      'cover.scheduledOnAlert': () => texts.onAlert,
      'scheduler.schedule'(input) {
        const problem = scheduleProblem(String(input.scheduler))
        return problem ? scheduleErrorText(problem) : texts.internal
      },
    },
    actions: {
      async run(caller, row, _args, note) {
        const targets = resolveTargets({
          selection: cron.targets!({ ...row, ...follow(cron, { ...row }, row.owner_id) }),
          owner: accounts.ownerOf(row.owner_id),
          servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: true })),
        })
        stepUp.demandFor(caller, targets.ids.length)
        return { run_id: await runs.startCron(row, { by: caller.viewer.username }, (db) => note?.(db)) }
      },
    },
  }),
})

function withOutcomes(records: MutableRecords<CronRow>, { clock }: LoadParts): MutableCrons {
  return {
    ...records,
    insert: (values, also) => records.insert({ ...values, schedule_set_at: clock.now() }, also),
    update: (id, change, about) =>
      records.update(
        id,
        (before) => {
          const after = change(before)
          const isSame = before.scheduler === after.scheduler && before.task_type === after.task_type
          return isSame ? after : { ...after, schedule_set_at: clock.now() }
        },
        about,
      ),
    executed: (id, { at, counts, runId }) =>
      records.patch(id, {
        last_executed_at: at,
        // One failed part makes it a failure (contract engines Q16).
        last_result: counts.failure + counts.no_answer === 0,
        last_run_id: runId,
        last_counts: counts,
      }),
  }
}
