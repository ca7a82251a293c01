import { createHash, timingSafeEqual } from 'node:crypto'
import { Role } from '@qd/core/define'
import { AppError, defined } from '@qd/core/errors'
import type { Selectable, Updateable } from 'kysely'
import type { Clock, Random } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'
import type { Db, UsersTable } from '../db/schema.ts'
import { type Also, commit, createOrder, type Handle, type Step } from './commit.ts'
import { hashPassword } from './passwords.ts'
import type { Accounts, UserRow } from './rows.ts'
import { randomText } from './secrets.ts'

export type FactorChange = Partial<Pick<UserRow, 'totp_secret' | 'totp_step' | 'recovery_codes'>>

export type MutableAccounts = Awaited<ReturnType<typeof createAccounts>>

/** `also` and the steps run in the transaction of a change. */
export async function createAccounts(parts: { db: Db; clock: Clock; random: Random; siteSecret: string }) {
  const { db, clock, random, siteSecret } = parts
  const users = new Map<number, UserRow>()
  let version = 1

  for (const row of await db.selectFrom('users').selectAll().orderBy('id').execute()) users.set(row.id, toUser(row))

  const inTurn = createOrder()

  /** `write` returns the rows as they are stored then, or were. */
  const changing = (
    write: (handle: Handle) => Promise<Selectable<UsersTable>[]>,
    known: (row: UserRow) => unknown = (row) => users.set(row.id, row),
  ): Step<UserRow> => ({
    inTurn,
    plan: () => async (handle) => {
      const rows = (await write(handle)).map(toUser)
      return {
        rows,
        done() {
          rows.forEach(known)
          version += 1
        },
      }
    },
  })

  const set = (
    id: number,
    fields: Updateable<UsersTable>,
    also?: Also<UserRow>,
    steps: readonly Step<unknown>[] = [],
  ) => {
    const change = changing((handle) => {
      const values = { ...fields, updated_at: clock.now() }
      return handle.updateTable('users').set(values).where('id', '=', id).returningAll().execute()
    })
    return commit(db, [change, ...steps], also)
  }

  async function nextSecret(id: number, servers: readonly number[], also?: Also<UserRow>): Promise<string> {
    const agent_secret = randomText(random, 32)
    const former_secret = sha256(defined(users.get(id)).agent_secret)
    await set(id, { agent_secret, former_secret, waiting_servers: toWaiting(servers) }, also)
    return agent_secret
  }

  const byName = (username: string) => [...users.values()].find((user) => user.username === username)
  const lookalike = (username: string, id: number | null) => {
    // A lookalike from before the rule may stay.
    if (id !== null && users.get(id)?.username === username) return undefined
    const skeleton = nameSkeleton(username)
    return [...users.values()].find((user) => user.id !== id && nameSkeleton(user.username) === skeleton)
  }
  const read: Accounts = {
    all: () => [...users.values()],
    find: (id) => users.get(id),
    byName,
    lookalike,
    ownerOfSecret(secret) {
      let owner: number | null = sameText(secret, siteSecret) ? 0 : null
      const hash = sha256(secret)
      for (const user of users.values()) {
        const isFormer = user.waiting_servers !== null && user.former_secret === hash
        if (isFormer || sameText(secret, user.agent_secret)) owner = user.id
      }
      return owner
    },
    isFormerSecretOf: (id, secret) => users.get(id)?.former_secret === sha256(secret),
    isFormerSecret(secret) {
      const hash = sha256(secret)
      return [...users.values()].some(({ former_secret }) => former_secret === hash)
    },
    ownerOf(id) {
      const user = users.get(id)
      return { id, username: user?.username ?? '', admin: id === 0 || user?.role === Role.admin }
    },
    isAdmin: (id) => id === 0 || users.get(id)?.role === Role.admin,
    version: () => version,
  }
  return {
    ...read,
    count: () => users.size,
    /** Errors: the database's if the name is taken. */
    async create(
      user: { username: string; password: string; role: number; agentSecret?: string },
      also?: Also<UserRow>,
    ): Promise<UserRow> {
      const { username, password, role, agentSecret } = user
      const now = clock.now()
      const values = {
        username,
        password_hash: await hashPassword(password),
        role,
        agent_secret: agentSecret ?? randomText(random, 32),
        reject_password: 0,
        created_at: now,
        updated_at: now,
      }
      const insert = changing((handle) => handle.insertInto('users').values(values).returningAll().execute())
      return defined((await commit(db, [insert], also))[0])
    },
    /** Errors: `invalid` if the name is taken. */
    async changeCredentials(
      id: number,
      { username, password, rejectPassword }: { username: string; password: string; rejectPassword: boolean },
      also?: Also<UserRow>,
      ...steps: readonly Step<unknown>[]
    ): Promise<void> {
      const password_hash = await hashPassword(password)
      const other = byName(username)
      if (other && other.id !== id) {
        const problems = [{ field: 'new_username', code: 'taken' }] as const
        throw new AppError('invalid', { text: texts.database }, { problems })
      }
      if (lookalike(username, id))
        throw new AppError('invalid', {}, { problems: [{ field: 'new_username', code: 'looksAlike' }] })
      await set(id, { username, password_hash, reject_password: rejectPassword ? 1 : 0 }, also, steps)
    },
    /** `password` null keeps it. */
    async change(
      id: number,
      { username, role, password }: { username: string; role: number; password: string | null },
      also?: Also<UserRow>,
      ...steps: readonly Step<unknown>[]
    ): Promise<void> {
      const hash = password === null ? {} : { password_hash: await hashPassword(password) }
      await set(id, { username, role, ...hash }, also, steps)
    },
    renewSecret: (id: number, also?: Also<UserRow>) => nextSecret(id, [], also),
    /** The old secret stays valid for these servers' agents until `waiting` ends the rotation. Returns the new one. */
    rotateSecret: nextSecret,
    async waiting(id: number, servers: readonly number[], also?: Also<UserRow>): Promise<void> {
      const change = changing((handle) =>
        handle
          .updateTable('users')
          .set({ waiting_servers: toWaiting(servers) })
          .where('id', '=', id)
          // Must not restart a rotation that has ended.
          .where('waiting_servers', '!=', '')
          .returningAll()
          .execute(),
      )
      await commit(db, [change], also)
    },
    async rejectPassword(id: number, isRejected: boolean, also?: Also<UserRow>): Promise<void> {
      await set(id, { reject_password: isRejected ? 1 : 0 }, also)
    },
    async changeFactor(
      id: number,
      { recovery_codes, ...to }: FactorChange,
      also?: Also<UserRow>,
      ...steps: readonly Step<unknown>[]
    ): Promise<void> {
      await set(id, { ...to, ...(recovery_codes && { recovery_codes: JSON.stringify(recovery_codes) }) }, also, steps)
    },
    /** Together with their bindings, which the caller ends in memory; it also deletes the users' records. */
    async remove(ids: readonly number[], also?: Also<UserRow>, ...steps: readonly Step<unknown>[]): Promise<void> {
      const removal = changing(
        async (handle) => {
          await handle.deleteFrom('oauth2_bindings').where('user_id', 'in', ids).execute()
          return handle.deleteFrom('users').where('id', 'in', ids).returningAll().execute()
        },
        ({ id }) => users.delete(id),
      )
      await commit(db, [removal, ...steps], also)
    },
  }
}

const toUser = (row: Selectable<UsersTable>): UserRow => ({
  ...row,
  reject_password: row.reject_password === 1,
  recovery_codes: JSON.parse(row.recovery_codes) as string[],
  waiting_servers: row.waiting_servers === '' ? null : (JSON.parse(row.waiting_servers) as number[]),
})

const toWaiting = (servers: readonly number[]) => (servers.length === 0 ? '' : JSON.stringify(servers))

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Compares in constant time. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Creates the first user of an empty installation. Returns its password, or null if there are users (S-15). */
export async function firstUser(
  accounts: MutableAccounts,
  wanted: string | null,
  random: Random,
): Promise<string | null> {
  if (accounts.count() > 0) return null
  const password = wanted ?? randomText(random, 20)
  await accounts.create({ username: 'admin', password, role: Role.admin })
  return password
}

/** Look-alikes of Latin letters and digits on Cyrillic, Greek and Armenian keyboards, from Unicode's confusables (UTS 39). The full table has 6,000 entries for scripts that don't look like a name here. */
const lookalikes: Readonly<Record<string, string>> = {
  a: '\u0430\u03b1\u0251',
  b: '\u044c\u0432',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435\u0451\u0454',
  g: '\u0261\u0581',
  h: '\u04bb\u0570\u043d',
  i: '\u0456\u0457\u03b9\u0131',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  // One and the bar look like l.
  l: '1|\u04cf\u0399',
  m: '\u043c',
  n: '\u0578\u03b7',
  o: '0\u043e\u03bf\u0585\u03c3',
  p: '\u0440\u03c1',
  q: '\u051b\u0566',
  r: '\u0433',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u03c5\u057d\u0446',
  v: '\u03bd\u0475',
  w: '\u051d\u0461',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03b3',
  z: '\u1d22',
}
const looksLike = new Map(Object.entries(lookalikes).flatMap(([letter, all]) => [...all].map((one) => [one, letter])))

/** Equal for names that look alike. For comparison only, never shown. */
export function nameSkeleton(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\s]/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  const latin = [...plain].map((sign) => looksLike.get(sign) ?? sign).join('')
  // A capital i looks like l, and these pairs run together.
  return latin.replaceAll('i', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')
}
