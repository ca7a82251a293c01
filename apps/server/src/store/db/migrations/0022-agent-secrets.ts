import { type AnyDb, addColumn, createTable, type Engine, unique } from '../columns.ts'

export async function agentSecrets(db: AnyDb, engine: Engine): Promise<void> {
  await addColumn(db, 'users', 'waiting_servers', 'text', '')
  await addColumn(db, 'servers', 'secret_hash', 'text', '')
  await createTable(db, engine, 'enrollment_codes')
    .own()
    .integer('owner_id')
    .text('code_hash', unique)
    .text('uuid')
    .integer('uses_left')
    .integer('created_at')
    .integer('expires_at')
    .create()
}
