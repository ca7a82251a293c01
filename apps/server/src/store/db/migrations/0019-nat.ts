import { type AnyDb, createTable, type Engine, optional } from '../columns.ts'

export async function nat(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'nat')
    .record()
    .text('name')
    .integer('enabled')
    .integer('server_id')
    .text('host')
    .text('domain')
    .integer('checked_at', optional)
    .text('check_error')
    .create()
}
