import type { AnyDb } from '../columns.ts'

/** The agent secret before a renewed one, and the second factor of whoever has one. */
export async function account(db: AnyDb): Promise<void> {
  for (const name of ['former_secret', 'totp_secret'] as const)
    await db.schema
      .alterTable('users')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await db.schema
    .alterTable('users')
    .addColumn('totp_step', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .alterTable('users')
    .addColumn('recovery_codes', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
}
