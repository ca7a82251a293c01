import { type Migration, Migrator } from 'kysely'
import type { AnyDb, Engine, Migrations } from './columns.ts'
import { firstMigrations } from './migrations/0001-first.ts'
import { history } from './migrations/0008-history.ts'
import { runStates } from './migrations/0009-run-states.ts'
import { laterMigrations } from './migrations/0010-later.ts'

const steps: Migrations = {
  ...firstMigrations,
  '0008-history': history,
  '0009-run-states': runStates,
  ...laterMigrations,
}

/** Oldest first. */
export const migrationNames: readonly string[] = Object.keys(steps)

/** Names the newer migration. */
export const newerDatabase = (migration: string): string =>
  `the Postgres database was written by a newer version (${migration}); start that version, or restore a dump from this version. Nothing was changed`

/** Runs missing migrations, up to `last`, in a transaction of their own or in the caller's (`disableTransactions`). Throws the failed step's error. */
export async function migrate(
  db: AnyDb,
  engine: Engine,
  last?: string,
  { disableTransactions = false }: { disableTransactions?: boolean } = {},
): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, up]): [string, Migration] => [name, { up: (handle) => up(handle, engine) }]),
  )
  const provider = { getMigrations: async () => migrations }
  const migrator = new Migrator({ db, provider, disableTransactions })
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error) throw error
}
