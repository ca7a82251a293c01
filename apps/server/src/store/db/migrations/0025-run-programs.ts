import type { AnyDb } from '../columns.ts'

/** The program that a run starts on each server, where it isn’t the same command line for all. */
export async function runPrograms(db: AnyDb): Promise<void> {
  await db.schema
    .alterTable('run_items')
    .addColumn('program', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
