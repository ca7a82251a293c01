import Driver from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../migrate.ts'

test('issue 10.9: runs of earlier versions get the state and the counts that their parts say', async () => {
  const driver = new Driver(':memory:')
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect: new SqliteDialect({ database: driver }) })
  await migrate(db, 'sqlite', '0008-history')
  const part = { server_name: '', output: '', cut_bytes: 0, lines: 0, server_id: 1 }
  const parts: readonly string[][] = [
    ['success', 'success'],
    ['success', 'no_answer'],
    ['failure'],
    ['sent', 'success'],
    ['waiting', 'success'],
    [],
  ]
  for (const [index, states] of parts.entries()) {
    const id = index + 1
    const rollout = id === 5 ? JSON.stringify({ canary: 1, batch: 0, max_failures: 0, state: 'paused' }) : null
    const times = { owner_id: 1, created_at: 1, updated_at: 1, finished_at: 1 }
    const run = { id, ...times, kind: 'cron', cron_id: 0, name: 'a', command: '', started_by: '', rollout }
    await db.insertInto('runs').values(run).execute()
    for (const state of states)
      await db
        .insertInto('run_items')
        .values({ ...part, run_id: id, state })
        .execute()
  }
  await migrate(db, 'sqlite', '0009-run-states')
  const rows = await db.selectFrom('runs').select(['state', 'counts']).orderBy('id').execute()
  expect(rows.map(({ state }) => state)).toEqual(['success', 'partial', 'failure', 'open', 'paused', 'success'])
  expect(JSON.parse(String(rows[1]!.counts))).toEqual({
    ...{ waiting: 0, sent: 0, running: 0, success: 1, failure: 0 },
    no_answer: 1,
  })
  await db.destroy()
})
