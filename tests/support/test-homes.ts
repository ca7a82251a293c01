import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './peers/postgres.ts'
import { isOnPostgres } from './test-database.ts'

/** Before a run of tests: one folder for the homes that they make (`createTestIo`), and PostgreSQL if their servers are to use it (`databaseOf`). Answers how both are removed when the run has ended. */
export default async function makeTestHomes(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-homes-'))
  process.env.QD_TEST_HOMES = folder
  const postgres = isOnPostgres ? await startPostgres({ connections: 400 }) : null
  if (postgres) process.env.QD_TEST_POSTGRES = postgres.url
  return async () => {
    await postgres?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
