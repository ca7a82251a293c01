import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { entityTables } from '../records/table.ts'
import type { Engine } from './columns.ts'
import { migrate } from './migrate.ts'
import { openForTest } from './testing.ts'

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
