import type { AnyDb } from '../columns.ts'

/** How the parts of each task's newest run ended, which its list says; runs that are known tell it. */
export async function taskCounts(db: AnyDb): Promise<void> {
  await db.schema
    .alterTable('crons')
    .addColumn('last_counts', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
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
