import { type AnyDb, addColumn } from '../columns.ts'

/** The program that a run starts on each server, where it isn’t the same command line for all. */
export async function runPrograms(db: AnyDb): Promise<void> {
  await addColumn(db, 'run_items', 'program', 'text', '')
}
