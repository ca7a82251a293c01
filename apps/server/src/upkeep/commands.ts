import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, parseDatabase } from '../config.ts'
import { Refusal } from '../kernel/errors.ts'
import { createLog } from '../kernel/log.ts'
import { neighbourhood, overlaps, targetOf } from '../kernel/net/address-ranges.ts'
import { systemClock } from '../kernel/ports.ts'
import { askPostgres } from '../store/db/postgres.ts'
import { isOfProcess, isStale, placeIn, readSite } from '../store/db/postgres-holder.ts'
import { loadDriver } from '../store/db/sqlite.ts'
import { makeBackup } from './backup/backup.ts'
import { checkFolder, type Finding } from './backup/check.ts'
import { restoreBackup } from './backup/restore.ts'
import { migrateToPostgres, migrateToSqlite } from './migrate/migrate-database.ts'

interface Said {
  lines: readonly string[]
  code: number
}

type Command = (word: string | undefined, config: Config) => Promise<Said>

const said = (...lines: readonly string[]): Said => ({ lines, code: 0 })

const commands: Readonly<Record<string, Command>> = {
  async unblock(address, config) {
    const { count, ranges } = await unblock(address, config)
    return said(
      `${address}: ${count === 0 ? 'was not blocked' : 'unblocked'}`,
      ...ranges.map((range) => `still blocked by ${range}; to unblock: unblock ${range}`),
    )
  },
  async backup(folder, config) {
    if (!folder)
      throw new Refusal('missing argument: a new folder, as in: backup /var/backups/quarterdeck-1 [--data FOLDER]')
    demandFiles(config, 'pg_dump')
    return said(...(await makeBackup(config.data, folder, systemClock.now())))
  },
  async restore(folder, config) {
    if (!folder)
      throw new Refusal('missing argument: a backup, as in: restore /var/backups/quarterdeck-1 [--data FOLDER]')
    demandFiles(config, 'pg_restore')
    return said(...(await restoreBackup(config.data, folder)))
  },
  async check(folder, config) {
    const url = folder ? null : config.databaseUrl
    const findings = url === null ? await checkFolder(folder ?? config.data) : await checkHolder(config, url)
    const isGood = findings.every(({ fault }) => fault === null)
    return {
      lines: findings.map(({ name, fault, note }) => `${name}: ${fault ?? (note ? `ok (${note})` : 'ok')}`),
      code: isGood ? 0 : 1,
    }
  },
  async 'migrate to-postgres'(given, config) {
    const url = parseDatabase(given, 'the URL') ?? config.databaseUrl
    if (url === null)
      throw new Refusal(
        'missing argument: a database, as in: migrate to-postgres postgres://quarterdeck:PASSWORD@127.0.0.1/quarterdeck [--data FOLDER]',
      )
    return said(
      ...(await migrateToPostgres(config.data, url, terminal(config)).catch(given ? naming('the URL') : null)),
    )
  },
  async 'migrate to-sqlite'(folder, config) {
    if (!folder) throw new Refusal('missing argument: a folder, as in: migrate to-sqlite /var/lib/quarterdeck')
    if (config.databaseUrl === null) throw new Refusal('DATABASE_URL must name the database to copy')
    return said(...(await migrateToSqlite(config.databaseUrl, { data: config.data, target: folder }, terminal(config))))
  },
  async migrate() {
    throw new Refusal('missing argument: to-postgres or to-sqlite, as in: migrate to-postgres URL [--data FOLDER]')
  },
}

/** A refusal names where the address of the database comes from. */
const naming = (place: string) => (error: unknown) => {
  throw error instanceof Refusal ? new Refusal(error.message.replace('DATABASE_URL', place), { cause: error }) : error
}

/** Where a long command says how far it is: one line that it writes over, for those who watch. */
function terminal({ log }: Config) {
  const { isTTY } = process.stderr
  return {
    log: createLog(log, (line) => process.stderr.write(line)),
    progress: (table: string, rows: number) => isTTY && process.stderr.write(`\r\x1b[K${table}: ${rows} rows\r`),
  }
}

/** The command in these words, with the flags behind them; null if they are the server's own flags. */
export function commandIn(
  words: readonly string[],
): { flags: readonly string[]; run(config: Config): Promise<Said> } | null {
  const length = Object.hasOwn(commands, words.slice(0, 2).join(' ')) ? 2 : 1
  const name = words.slice(0, length).join(' ')
  const rest = words.slice(length)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return null
  const hasWord = rest[0] !== undefined && !rest[0].startsWith('-')
  return {
    flags: hasWord ? rest.slice(1) : rest,
    run: (config) => command(hasWord ? rest[0] : undefined, config),
  }
}

function demandFiles({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl !== null)
    throw new Refusal(`DATABASE_URL points to PostgreSQL, which also holds the history; use its own ${tool}`)
}

interface Unblocked {
  count: number
  /** Blocked ranges that still contain the address. */
  ranges: readonly string[]
}

/** For both databases; `?` stands for a value. */
type Run = (sql: string, values: readonly string[]) => Promise<{ rows: readonly { ip: string }[]; count: number }>

/** Unblocks an address or a range, beside a running server, which reads it, or without one. */
async function unblock(
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
    // A running server reads this and clears its memory.
    await run('insert into waf_unblocked (ip) values (?) on conflict (ip) do nothing', [ip])
  }
  const { rows } = await run("select ip from waf where ip like '%/%' and block_identifier = -124", [])
  return { count, ranges: rows.map(({ ip }) => ip).filter((range) => overlaps(range, target)) }
}

const inPostgres = (url: string, work: (run: Run) => Promise<Unblocked>) =>
  askPostgres(url, (client) =>
    work(async (sql, values) => {
      const { rows, rowCount } = await client.query<{ ip: string }>(sql.replace('?', '$1'), [...values])
      return { rows, count: rowCount ?? 0 }
    }),
  )

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

/** Which server has the PostgreSQL database, which wait for it, and which of them is that of the data folder. Errors: Refusal. */
export async function checkHolder({ data }: Pick<Config, 'data'>, url: string): Promise<readonly Finding[]> {
  const { active, standbys } = await askPostgres(url, readSite)
  const file = join(data, 'server.pid')
  const own = existsSync(file) ? Number(readFileSync(file, 'utf8')) : null
  const isOwn = (name: string) => own !== null && isOfProcess(name, own)
  const role = active && isOwn(active.name) ? 'active' : standbys.some(isOwn) ? 'standby' : 'not running'
  const beat = `beat ${active?.age.toFixed(1)} s ago`
  return [
    {
      name: 'active server',
      fault: active ? (isStale(active) ? `${placeIn(active.name)} hangs: ${beat}` : null) : unserved(standbys),
      note: active ? `${placeIn(active.name)}, version ${active.version}, ${beat}` : 'none',
    },
    { name: 'standby servers', fault: null, note: standbys.map((name) => placeIn(name)).join(', ') || 'none' },
    { name: 'this server', fault: null, note: role },
  ]
}

const unserved = (standbys: readonly string[]) => (standbys.length > 0 ? 'none, while standby servers wait' : null)
