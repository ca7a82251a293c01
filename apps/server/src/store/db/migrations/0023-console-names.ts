import { type AnyDb, createTable, type Engine, primary } from '../columns.ts'

export async function consoleNames(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'console_names')
    .text('name', primary)
    .integer('user_id')
    .integer('by_admin')
    .integer('seen_at')
    .create()
}
