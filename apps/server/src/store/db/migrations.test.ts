import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import { entityTables } from '../records/table.ts'
import type { Engine } from './columns.ts'
import { migrate } from './migrate.ts'

test.each<Engine>(['sqlite', 'postgres'])(
  '0010 and 0011: a stored interval goes on from its last change, one below a second as each second, on %s',
  async (engine) => {
    const db = await openForTest(engine, '0009-run-states')
    await sql`
      insert into crons (owner_id, name, task_type, scheduler, command, cover, servers, push_successful,
        notification_group_id, last_result, last_run_id, created_at, updated_at)
      values (1, 'a', 0, '@every 0s', 'id', 0, '[]', 0, 0, 0, 0, 5, 7)`.execute(db)
    await migrate(db, engine)
    expect(await entityTables(db).selectFrom('crons').select(['scheduler', 'schedule_set_at']).execute()).toEqual([
      { scheduler: '@every 1s', schedule_set_at: 7 },
    ])
    await db.destroy()
  },
)

test.each<Engine>(['sqlite', 'postgres'])(
  '0021: a task knows how the parts of its newest run ended, where that run is known, on %s',
  async (engine) => {
    const db = await openForTest(engine, '0020-following')
    const counts = JSON.stringify({ waiting: 0, sent: 0, running: 0, success: 2, failure: 1, no_answer: 0 })
    await sql`
      insert into runs (owner_id, kind, cron_id, name, command, started_by, created_at, updated_at, state, counts)
      values (1, 'cron', 1, 'a', 'id', 'admin', 5, 5, 'partial', ${counts})`.execute(db)
    const run = await entityTables(db).selectFrom('runs').select('id').executeTakeFirstOrThrow()
    for (const last of [run.id, 999])
      await sql`
        insert into crons (owner_id, name, task_type, scheduler, command, cover, servers, push_successful,
          notification_group_id, last_result, last_run_id, created_at, updated_at)
        values (1, 'a', 0, '0 0 3 * * *', 'id', 0, '[]', 0, 0, 0, ${last}, 5, 5)`.execute(db)
    await migrate(db, engine)
    const rows = await entityTables(db).selectFrom('crons').select('last_counts').orderBy('id').execute()
    expect(rows).toEqual([{ last_counts: counts }, { last_counts: '{}' }])
    await db.destroy()
  },
)

test.each<Engine>(['sqlite', 'postgres'])(
  '0024, 0027: what is still to be done for an incident stays to be done, and what people did stays, on %s',
  async (engine) => {
    const db = await openForTest(engine, '0023-console-names')
    await sql`
      insert into incidents (owner_id, source, rule_id, service_id, server_id, name, state, reading, error, acked_by,
        quiet, told, runs, deeds, owes_notice, owes_tasks, created_at, updated_at)
      values (1, 'rule', 1, 0, 1, 'a', 'open', 'null', '', '', 0, '[]', '[]', '[{"kind":"note"}]', 1, 0, 5, 5)`.execute(
      db,
    )
    await migrate(db, engine)
    expect(await db.selectFrom('incidents').select(['notice_pending', 'tasks_pending', 'responses']).execute()).toEqual(
      [{ notice_pending: 1, tasks_pending: 0, responses: '[{"kind":"note"}]' }],
    )
    await db.destroy()
  },
)
