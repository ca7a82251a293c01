import { type AnyDb, addColumn } from '../columns.ts'

export async function taskCounts(db: AnyDb): Promise<void> {
  await addColumn(db, 'crons', 'last_counts', 'text', '{}')
  const runs = await db
    .selectFrom('runs')
    .innerJoin('crons', 'crons.last_run_id', 'runs.id')
    .select(['crons.id', 'runs.counts'])
    .execute()
  for (const { id, counts } of runs)
    await db
      .updateTable('crons')
      .set({ last_counts: String(counts) })
      .where('id', '=', Number(id))
      .execute()
}
