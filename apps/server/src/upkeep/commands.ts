import type { Config } from '../config.ts'
import { systemClock } from '../kernel/ports.ts'
import { Refusal } from '../kernel/refusal.ts'
import { makeBackup } from './backup/backup.ts'
import { checkFolder } from './backup/check.ts'
import { restoreBackup } from './backup/restore.ts'
import { unblock } from './unblock.ts'

/** What a command has to say, by line, and the exit code. */
interface Said {
  lines: readonly string[]
  code: number
}

type Command = (word: string | undefined, config: Config) => Promise<Said>

const said = (...lines: readonly string[]): Said => ({ lines, code: 0 })

/** What the program does besides serving, by its first word; each takes one word more. Errors: Refusal. */
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
    if (!folder) demandFiles(config, 'pg_amcheck')
    const findings = await checkFolder(folder ?? config.data)
    const isGood = findings.every(({ fault }) => fault === null)
    return {
      lines: findings.map(({ name, fault, note }) => `${name}: ${fault ?? (note ? `ok (${note})` : 'ok')}`),
      code: isGood ? 0 : 1,
    }
  },
}

/** The command that these words name, with the flags behind them; null if they are flags of the server itself. */
export function commandIn(
  words: readonly string[],
): { flags: readonly string[]; run(config: Config): Promise<Said> } | null {
  const [name = '', ...rest] = words
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return null
  const hasWord = rest[0] !== undefined && !rest[0].startsWith('-')
  return {
    flags: hasWord ? rest.slice(1) : rest,
    run: (config) => command(hasWord ? rest[0] : undefined, config),
  }
}

/** Errors: Refusal where the database is none of files; `tool` of PostgreSQL does the same. */
function demandFiles({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl !== null)
    throw new Refusal(`DATABASE_URL points to PostgreSQL, which also holds the history; use its own ${tool}`)
}
