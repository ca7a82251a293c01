import { cron } from '@qd/core/resources'
import { parseSchedule, scheduleErrorText } from '@qd/core/schemas'
import { resolveTargets } from '@qd/core/targets'
import type { Db } from '../db/schema.ts'
import type { StepUp } from '../http/step-up.ts'
import type { CronRecords, CronRow, NotificationGroupRow, Records } from '../rows.ts'
import type { Clock, RunLedger } from '../services.ts'
import { texts } from '../texts.ts'
import { checkGroup } from './notification-groups.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { checkServers } from './server-groups.ts'
import { createStore, type ResourceStore, type Surroundings, toInstant } from './store.ts'
import { tableOf } from './table.ts'

/** Tasks as stores and engines see them. */
export type MutableCrons = MutableRecords<CronRow> & CronRecords

/** Loads all tasks. */
export async function createCrons(parts: { db: Db; clock: Clock }): Promise<MutableCrons> {
  const persist = tableOf<CronRow>('crons', { flags: ['push_successful', 'last_result'], json: { servers: [] } })
  const records = await createRecords<CronRow>({ ...parts, persist, compare: byId })
  return {
    ...records,
    insert: (values) => records.insert({ ...values, schedule_set_at: parts.clock.now() }),
    update: (id, change, about) =>
      records.update(
        id,
        (before) => {
          const after = change(before)
          const isSame = before.scheduler === after.scheduler && before.task_type === after.task_type
          return isSame ? after : { ...after, schedule_set_at: parts.clock.now() }
        },
        about,
      ),
    executed: (id, { at, ok, runId }) =>
      records.patch(id, { last_executed_at: at, last_result: ok, last_run_id: runId }),
  }
}

/** The store behind the task routes. */
export function createCronStore(
  parts: {
    crons: MutableCrons
    notificationGroups: Records<NotificationGroupRow>
    runs: RunLedger
    stepUp: StepUp
  },
  around: Surroundings,
): ResourceStore {
  const { crons, notificationGroups, runs, stepUp } = parts
  const { accounts, servers } = around
  return createStore<CronRow>(
    {
      resource: cron,
      records: crons,
      byIds: true,
      fieldsOf: ({
        id,
        owner_id: _owner,
        created_at: _created,
        updated_at: _updated,
        last_executed_at,
        schedule_set_at,
        ...fields
      }) => ({
        ...fields,
        schedule_set_at: toInstant(schedule_set_at),
        last_executed_at: toInstant(last_executed_at),
        cron_job_id: fields.task_type === 0 ? id : 0,
      }),
      omit: ['command', 'push_successful', 'last_result', 'last_run_id', 'cron_job_id'],
      fresh: { last_executed_at: null, last_result: false, last_run_id: 0 },
      check(input, owner) {
        checkServers(input.servers as readonly number[], { owner, ...around }, texts.permission)
        checkGroup(input.notification_group_id as number, { owner, accounts, notificationGroups })
      },
      texts: {
        'cover.notOption': () => texts.permission,
        'cover.scheduledOnAlert': () => texts.onAlert,
        'scheduler.schedule'(input) {
          const parsed = parseSchedule(String(input.scheduler))
          return parsed.ok ? texts.internal : scheduleErrorText(parsed.problem)
        },
      },
      actions: {
        async run(caller, row) {
          const reached = resolveTargets({
            reach: cron.reach!({ ...row }),
            owner: accounts.ownerOf(row.owner_id),
            servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: true })),
          })
          stepUp.demandFor(caller, reached.ids.length)
          return { run_id: await runs.startCron(row, { by: caller.viewer.username }) }
        },
      },
    },
    around,
  )
}
