import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { loadDriver } from './db/sqlite.ts'
import { Refusal } from './refusal.ts'

/**
 * Forgets all that the firewall holds against an address, beside a running server or without one. Answers how many counts
 * there were. Errors: Refusal.
 */
export async function unblock(
  address: string | undefined,
  { data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>,
): Promise<number> {
  if (!address || isIP(address) === 0)
    throw new Refusal('unblock needs an address: unblock 203.0.113.7 [--data FOLDER]')
  if (databaseUrl === null) return unblockInFile(address, join(data, 'quarterdeck.db'))
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: databaseUrl })
  try {
    await client.connect()
    return (await client.query('delete from waf where ip = $1', [address])).rowCount ?? 0
  } catch (error) {
    throw new Refusal(`the Postgres database of DATABASE_URL cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

async function unblockInFile(address: string, file: string): Promise<number> {
  if (!existsSync(file)) throw new Refusal(`there is no database ${file}: name its folder with --data`)
  const open = await loadDriver()
  const database = new open(file, { timeout: 5000 })
  try {
    return database.prepare('delete from waf where ip = ?').run(address).changes
  } catch (error) {
    throw new Refusal(`${file} cannot be changed: ${(error as Error).message}`, { cause: error })
  } finally {
    database.close()
  }
}
