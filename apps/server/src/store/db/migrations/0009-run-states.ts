import { lastItem } from '@qd/core/errors'
import { type AnyDb, addColumn } from '../columns.ts'

const chunkSize = 500

export async function runStates(db: AnyDb): Promise<void> {
  for (const column of ['state', 'counts']) await addColumn(db, 'runs', column, 'text', '')
  await db.schema.createIndex('runs_state').on('runs').columns(['state', 'id']).execute()
  let last = 0
  for (;;) {
    const runs: { id: number; rollout: string | null }[] = await db
      .selectFrom('runs')
      .select(['id', 'rollout'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(chunkSize)
      .execute()
    if (runs.length === 0) return
    last = lastItem(runs).id
    const ids = runs.map(({ id }) => id)
    const parts = await db
      .selectFrom('run_items')
      .select(({ fn }) => ['run_id', 'state', fn.countAll().as('count')])
      .where('run_id', 'in', ids)
      .groupBy(['run_id', 'state'])
      .execute()
    for (const { id, rollout } of runs) {
      const counts: Record<string, number> = { waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0 }
      for (const part of parts) if (part.run_id === id) counts[String(part.state)] = Number(part.count)
      const values = { state: stateOf(counts, rollout), counts: JSON.stringify(counts) }
      await db.updateTable('runs').set(values).where('id', '=', id).execute()
    }
  }
}

/** Frozen here: a migration must not change with the code. */
function stateOf(counts: Readonly<Record<string, number>>, rollout: string | null): string {
  const of = (...names: string[]) => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)
  if (of('waiting') > 0 && rollout?.includes('"state":"paused"')) return 'paused'
  if (of('waiting', 'sent', 'running') > 0) return 'open'
  if (of('failure', 'no_answer') === 0) return 'success'
  return of('success') > 0 ? 'partial' : 'failure'
}
