import { type AnyDb, addColumn } from '../columns.ts'

export async function account(db: AnyDb): Promise<void> {
  for (const name of ['former_secret', 'totp_secret']) await addColumn(db, 'users', name, 'text', '')
  await addColumn(db, 'users', 'totp_step', 'bigint', 0)
  await addColumn(db, 'users', 'recovery_codes', 'text', '[]')
}
