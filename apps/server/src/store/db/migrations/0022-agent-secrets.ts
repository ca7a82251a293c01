import { type AnyDb, createTable, type Engine, unique } from '../columns.ts'

/** Secrets of single hosts, codes that enroll them, and the servers that still use an agent secret that is being rotated. */
export async function agentSecrets(db: AnyDb, engine: Engine): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('waiting_servers', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .alterTable('servers')
    .addColumn('secret_hash', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
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
