import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Engine } from './columns.ts'
import { migrate } from './migrate.ts'
import { openForTest } from './testing.ts'

test.each<Engine>(['sqlite', 'postgres'])(
  '0010: a stored interval goes on from its last change, on %s',
  async (engine) => {
    const db = await openForTest(engine)
    const task = {
      owner_id: 1,
      name: 'a',
      task_type: 0,
      scheduler: '@every 24h',
      command: 'id',
      cover: 0,
      servers: '[]',
    }
    const rest = { push_successful: 0, notification_group_id: 0, last_result: 0, last_run_id: 0, schedule_set_at: 0 }
    await db
      .insertInto('crons')
      .values({ ...task, ...rest, created_at: 5, updated_at: 7 })
      .execute()
    await db.schema.alterTable('crons').dropColumn('schedule_set_at').execute()
    await sql`delete from kysely_migration where name = '0010-schedule-phase'`.execute(db)
    await migrate(db, engine)
    expect(await db.selectFrom('crons').select('schedule_set_at').execute()).toEqual([{ schedule_set_at: 7 }])
    await db.destroy()
  },
)
