import { isIP } from 'node:net'
import { Role } from '@qd/core/define'
import type { Problem } from '@qd/core/errors'
import { textParts } from '@qd/core/i18n'
import type { Logger } from 'pino'
import { isReservedHost, ownHosts, plainHost } from '../../kernel/net/reserved-hosts.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { Db } from '../db/schema.ts'
import type { Accounts, NatRow } from './rows.ts'
import type { Settings } from './settings.ts'

/** Per user, so that a member who forges the header displaces only their own names. */
const maxOfUser = 16
const most = 1024

/** Hostnames under which users signed in: the console's own, so no NAT profile may take them (behaviour S-45). */
export type ConsoleNames = Awaited<ReturnType<typeof createConsoleNames>>

interface Seen {
  userId: number
  byAdmin: boolean
  at: number
}

/** `isTaken`: whether a NAT profile holds the name. Only an administrator's sign-in takes it back: a member can forge the header. */
export async function createConsoleNames(parts: { db: Db; clock: Clock; log: Logger; isTaken(name: string): boolean }) {
  const { db, clock, log, isTaken } = parts
  const names = new Map<string, Seen>()
  for (const row of await db.selectFrom('console_names').selectAll().orderBy('seen_at').execute())
    names.set(row.name, { userId: row.user_id, byAdmin: row.by_admin === 1, at: row.seen_at })
  let version = 0
  let storing: Promise<unknown> = Promise.resolve()

  /** Names to drop: the user's oldest, then the oldest of all, administrators' last. */
  function over(userId: number): string[] {
    const own = [...names].filter(([, one]) => one.userId === userId)
    const gone = own.slice(0, Math.max(0, own.length - maxOfUser)).map(([name]) => name)
    if (names.size - gone.length <= most) return gone
    const [oldest] = [...names].sort(([, a], [, b]) => Number(a.byAdmin) - Number(b.byAdmin) || a.at - b.at)
    return [...new Set([...gone, ...(oldest ? [oldest[0]] : [])])]
  }

  function store(name: string, { userId, byAdmin, at }: Seen, gone: readonly string[]): void {
    const fields = { user_id: userId, by_admin: byAdmin ? 1 : 0, seen_at: at }
    storing = storing
      .then(async () => {
        await db
          .insertInto('console_names')
          .values({ name, ...fields })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(fields))
          .execute()
        if (gone.length > 0) await db.deleteFrom('console_names').where('name', 'in', gone).execute()
      })
      .catch((err: unknown) => log.warn({ err, name }, 'failed to store a name of the console'))
  }

  return {
    has: (name: string) => names.has(name),
    all: () => [...names.keys()].reverse(),
    version: () => version,
    seen(host: string | undefined, { id, role }: Readonly<{ id: number; role: number }>): void {
      if (host === undefined) return
      const name = plainHost(host)
      const known = names.get(name)
      const isAdmin = role === Role.admin
      if (known && (known.byAdmin || !isAdmin)) return
      // IP addresses and `localhost` are always reserved.
      if (name === '' || isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return
      if (!isAdmin && isTaken(name)) return
      const seen = { userId: id, byAdmin: isAdmin, at: clock.now() }
      version += 1
      names.set(name, seen)
      const gone = over(id).filter((one) => one !== name)
      for (const one of gone) names.delete(one)
      store(name, seen, gone)
    },
    settled: async (): Promise<void> => void (await storing),
  }
}

export type NatNames = ReturnType<typeof createNatNames>

export function createNatNames(parts: {
  settings: Pick<Settings, 'get'>
  accounts: Pick<Accounts, 'isAdmin'>
  consoleNames: Pick<ConsoleNames, 'has'>
  listensOn: string
}) {
  const { settings, accounts, consoleNames, listensOn } = parts
  return {
    /** Why a profile isn't served. The console's own names have priority. */
    refusalOf({ domain, owner_id }: Pick<NatRow, 'domain' | 'owner_id'>): Omit<Problem, 'field'> | null {
      const name = plainHost(domain)
      const values = settings.get()
      if (consoleNames.has(name) || isReservedHost(domain, ownHosts(values, listensOn))) return { code: 'reserved' }
      if (accounts.isAdmin(owner_id)) return null
      const suffixes = textParts(values.nat_domains)
      if (suffixes.some((suffix) => name.endsWith(`.${plainHost(suffix)}`))) return null
      return suffixes.length === 0
        ? { code: 'adminsOnly' }
        : { code: 'notBelow', params: { suffixes: suffixes.join(', ') } }
    },
  }
}
