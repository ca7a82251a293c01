import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { neighbourhood, overlaps, targetOf } from '../kernel/net/address-ranges.ts'
import { Refusal } from '../kernel/refusal.ts'
import { loadDriver } from '../store/db/sqlite.ts'

/** What `unblock` found. */
export interface Unblocked {
  count: number
  /** Blocked ranges that the address lies in: it stays blocked by them. */
  ranges: readonly string[]
}

/** Both databases take the same statements; `?` stands for a value. */
type Run = (sql: string, values: readonly string[]) => Promise<{ rows: readonly { ip: string }[]; count: number }>

/**
 * Forgets all that the firewall holds against an address or a range, beside a running server, which hears of it, or without one.
 * Errors: Refusal.
 */
export async function unblock(
  given: string | undefined,
  { data, databaseUrl }: Pick<Config, 'data' | 'databaseUrl'>,
): Promise<Unblocked> {
  const target = targetOf(given ?? '')
  if (target === null)
    throw new Refusal('missing argument: an address or range, as in: unblock 203.0.113.7 [--data FOLDER]')
  return databaseUrl === null
    ? inFile(join(data, 'quarterdeck.db'), (run) => lift(target, run))
    : inPostgres(databaseUrl, (run) => lift(target, run))
}

async function lift(target: string, run: Run): Promise<Unblocked> {
  const [address = ''] = target.split('/')
  const own = [...new Set([target, target === address ? neighbourhood(address) : target])]
  let count = 0
  for (const ip of own) {
    count += (await run('delete from waf where ip = ?', [ip])).count
    // What a running server holds in memory, it forgets when it reads this.
    await run('insert into waf_unblocked (ip) values (?) on conflict (ip) do nothing', [ip])
  }
  const { rows } = await run("select ip from waf where ip like '%/%' and block_identifier = -124", [])
  return { count, ranges: rows.map(({ ip }) => ip).filter((range) => overlaps(range, target)) }
}

async function inPostgres(url: string, work: (run: Run) => Promise<Unblocked>): Promise<Unblocked> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return await work(async (sql, values) => {
      const { rows, rowCount } = await client.query<{ ip: string }>(sql.replace('?', '$1'), [...values])
      return { rows, count: rowCount ?? 0 }
    })
  } catch (error) {
    throw new Refusal(`cannot use the Postgres database in DATABASE_URL: ${(error as Error).message}`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}

async function inFile(file: string, work: (run: Run) => Promise<Unblocked>): Promise<Unblocked> {
  if (!existsSync(file)) throw new Refusal(`${file} not found; give its folder with --data`)
  const open = await loadDriver()
  const database = new open(file, { timeout: 5000 })
  try {
    return await work(async (sql, values) => {
      const statement = database.prepare(sql)
      if (statement.reader) return { rows: statement.all(...values) as { ip: string }[], count: 0 }
      return { rows: [], count: statement.run(...values).changes }
    })
  } catch (error) {
    throw new Refusal(`cannot change ${file}: ${(error as Error).message}`, { cause: error })
  } finally {
    database.close()
  }
}
