import { expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import { updateRows } from './update-rows.ts'

const item = (server_id: number) => ({
  run_id: 1,
  server_id,
  server_name: `server ${server_id}`,
  state: 'sent',
  exit_code: null,
  started_at: 5,
  finished_at: null,
  duration_ms: null,
  output: '',
  cut_bytes: 0,
  lines: 0,
  reason: null,
  version_before: '',
})

test.each(['sqlite', 'postgres'] as const)(
  'rows are changed by their IDs, each as it says, in one statement for all alike on %s',
  async (engine) => {
    const db = await openForTest(engine)
    const ids = Array.from({ length: 250 }, (_, index) => index + 1)
    const stored = await db.insertInto('run_items').values(ids.map(item)).returning('id').execute()
    const [first, second, third, ...others] = stored.map(({ id }) => id) as [number, number, number, ...number[]]
    const statements: string[] = []
    const watched = db.withPlugin({
      transformQuery({ node }) {
        statements.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    })

    await updateRows(watched, 'run_items', [
      { id: first, state: 'running', started_at: 9 },
      { id: second, state: 'failure', exit_code: 2, output: 'it’s "over"\n', started_at: null },
      { id: third, state: 'no_answer', reason: 'lost', exit_code: null, output: '', started_at: 7 },
      { id: first, state: 'success' },
      { id: 987_654, state: 'success', started_at: 1 },
      ...others.map((id) => ({ id, duration_ms: id })),
    ])

    const rows = await db.selectFrom('run_items').selectAll().orderBy('id').execute()
    expect(rows).toHaveLength(250)
    const [one, two, three, ...rest] = rows
    expect(one).toMatchObject({ state: 'success', started_at: 9, exit_code: null, server_name: 'server 1' })
    expect(two).toMatchObject({
      state: 'failure',
      exit_code: 2,
      output: 'it’s "over"\n',
      started_at: null,
      reason: null,
    })
    expect(three).toMatchObject({ state: 'no_answer', reason: 'lost', output: '', started_at: 7 })
    expect(rest.map(({ duration_ms, state }) => [duration_ms, state])).toEqual(others.map((id) => [id, 'sent']))
    expect(statements.length).toBeLessThanOrEqual(6)
    await db.destroy()
  },
)
