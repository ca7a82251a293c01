import { createSecretKey } from 'node:crypto'
import { AppError } from '@qd/core/errors'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Ticket } from '../kernel/caller.ts'
import type { Clock, Random } from '../kernel/ports.ts'
import type { Database, Db } from '../store/db/schema.ts'
import { unlessFull } from '../store/db/storage.ts'
import { type Also, commit, createOrder, type Step } from '../store/records/commit.ts'
import type { Quota } from '../store/records/quota.ts'
import type { Retention } from '../store/records/retention.ts'
import type { Accounts, UserRow } from '../store/records/rows.ts'
import { randomText } from '../store/records/secrets.ts'
import type { Settings } from '../store/records/settings.ts'
import type { Sockets } from './sockets.ts'

const dayMs = 24 * 3_600_000
const usedEveryMs = 60_000
/** How long a password proves who the user is (decisions.md, "Step-up"). */
export const proofMs = 10 * 60_000
const maxVerified = 10_000
const skewMs = 60_000

/** A stored sign-in; times in epoch ms. The ID is a secret. */
export interface Session {
  id: string
  user_id: number
  created_at: number
  expires_at: number
  last_used_at: number
  address: string
  client: string
  proved_at: number
}

export type Sessions = Awaited<ReturnType<typeof createSessions>>

interface Claims {
  uid: string
  keyId: string
  expiresAt: number
}

/** Loads the valid sessions. `secret` signs tokens (HS256). */
export async function createSessions(parts: {
  db: Db
  clock: Clock
  retention: Pick<Retention, 'now'>
  random: Random
  accounts: Accounts
  settings: Pick<Settings, 'get'>
  quota: Pick<Quota, 'of'>
  sockets: Pick<Sockets, 'endSession'>
  secret: string
}) {
  const { db, clock, retention, random, accounts, settings, quota, sockets } = parts
  /** Lifetime since the last refresh (decisions.md, "Session length, address binding"). */
  const lifeMs = () => settings.get().session_days * dayMs
  const key = createSecretKey(Buffer.from(parts.secret))
  const sessions = new Map<string, Session>()
  const verified = new Map<string, Claims>()
  const storedUse = new WeakMap<Session, number>()
  /** Those that a full disk keeps in memory alone; their next use stores them. */
  const unstored = new WeakSet<Session>()
  /** Sign-ins and what ends them, so that none begins with a password that has just been changed. */
  const inTurn = createOrder()

  async function forgetOver(): Promise<void> {
    const now = retention.now()
    for (const session of sessions.values()) if (session.expires_at <= now) sessions.delete(session.id)
    await unlessFull(db.deleteFrom('sessions').where('expires_at', '<=', now).execute())
  }

  async function makeRoom(userId: number): Promise<void> {
    const own = [...sessions.values()].filter((session) => session.user_id === userId)
    const most = quota.of(userId)
    if (own.length < most) return
    own.sort((a, b) => b.last_used_at - a.last_used_at)
    for (const { id } of own.slice(most - 1)) {
      await end(id)
      sockets.endSession(id, 'too many sign-ins')
    }
  }

  const ending = (
    isGone: (session: Session) => boolean,
    where: (row: ExpressionBuilder<Database, 'sessions'>) => Expression<SqlBool>,
  ): Step<Session> => ({
    inTurn,
    plan: () => async (handle) => {
      await handle.deleteFrom('sessions').where(where).execute()
      const gone = [...sessions.values()].filter(isGone)
      return {
        rows: gone,
        done() {
          for (const { id } of gone) sessions.delete(id)
        },
      }
    },
  })

  /** `also` runs in its transaction. */
  async function end(id: string, also?: Also<Session>): Promise<void> {
    const step = ending(
      (session) => session.id === id,
      (row) => row('id', '=', id),
    )
    await commit(db, [step], also)
  }

  await forgetOver()
  for (const row of await db.selectFrom('sessions').selectAll().execute()) sessions.set(row.id, row)

  /** On a full disk the session stays in memory; its next use stores it. */
  async function store(session: Session): Promise<void> {
    const { id, expires_at, last_used_at, proved_at } = session
    const fields = { expires_at, last_used_at, proved_at }
    // Must not bring back one that ends meanwhile.
    const write = unstored.has(session)
      ? db
          .insertInto('sessions')
          .values(session)
          .onConflict((conflict) => conflict.column('id').doUpdateSet(fields))
      : db.updateTable('sessions').set(fields).where('id', '=', id)
    await unlessFull(write.execute().then(() => unstored.delete(session)))
  }

  async function ticketOf({ id, user_id, expires_at }: Session): Promise<Ticket> {
    const issuedAt = Math.floor(clock.now() / 1000)
    const expiresAt = Math.floor(expires_at / 1000)
    const token = await new SignJWT({ uid: String(user_id), keyId: id, orig_iat: issuedAt })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setExpirationTime(expiresAt)
      .sign(key)
    return { token, expire: new Date(expiresAt * 1000).toISOString(), lasts: expiresAt - issuedAt, session: id }
  }

  async function claimsOf(token: string): Promise<Claims | null> {
    const known = verified.get(token)
    if (known) return known
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        requiredClaims: ['exp', 'keyId', 'uid', 'orig_iat'],
        currentDate: new Date(clock.now()),
      })
      const { uid, keyId, exp, orig_iat } = payload
      if (typeof uid !== 'string' || typeof keyId !== 'string' || typeof orig_iat !== 'number') return null
      if (orig_iat * 1000 > clock.now() + skewMs) return null
      const claims = { uid, keyId, expiresAt: exp! * 1000 }
      if (verified.size >= maxVerified) verified.clear()
      verified.set(token, claims)
      return claims
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null
      throw error
    }
  }

  async function used(session: Session): Promise<void> {
    const now = clock.now()
    session.last_used_at = now
    const stored = storedUse.get(session) ?? session.created_at
    if (Math.abs(now - stored) < usedEveryMs) return
    storedUse.set(session, now)
    await store(session)
  }

  return {
    /** `user` as they were when they proved who they are. Errors: `unauthorized` if their password has changed since. */
    async begin(user: UserRow, { address, client }: { address: string; client: string }): Promise<Ticket> {
      await forgetOver()
      await makeRoom(user.id)
      return inTurn(async () => {
        if (accounts.find(user.id)?.password_hash !== user.password_hash) throw new AppError('unauthorized')
        const now = clock.now()
        const session = {
          id: randomText(random, 32),
          user_id: user.id,
          created_at: now,
          expires_at: now + lifeMs(),
          last_used_at: now,
          address,
          client: client.slice(0, 256),
          proved_at: now,
        }
        unstored.add(session)
        await store(session)
        sessions.set(session.id, session)
        return ticketOf(session)
      })
    },
    async refresh(id: string): Promise<Ticket> {
      const session = sessions.get(id)
      if (!session) throw new AppError('unauthorized')
      session.expires_at = clock.now() + lifeMs()
      await store(session)
      return ticketOf(session)
    },
    /** Gives the session a new ID, proved now; tokens of the old ID become invalid. */
    renew: (id: string): Promise<Ticket> =>
      inTurn(async () => {
        const session = sessions.get(id)
        if (!session) throw new AppError('unauthorized')
        const now = clock.now()
        const fresh = { ...session, id: randomText(random, 32), expires_at: now + lifeMs(), proved_at: now }
        const { id: next, expires_at, proved_at } = fresh
        await db.updateTable('sessions').set({ id: next, expires_at, proved_at }).where('id', '=', id).execute()
        if (unstored.has(session)) unstored.add(fresh)
        sessions.delete(id)
        sessions.set(next, fresh)
        return ticketOf(fresh)
      }),
    all: () => [...sessions.values()].filter(({ expires_at }) => expires_at > clock.now()),
    async identify(token: string, address: string): Promise<{ user: UserRow; session: string } | null> {
      const claims = await claimsOf(token)
      const session = claims && sessions.get(claims.keyId)
      if (!session || claims.uid !== String(session.user_id)) return null
      const user = accounts.find(session.user_id)
      const now = clock.now()
      if (!user || claims.expiresAt <= now || session.expires_at <= now) return null
      if (settings.get().session_bound_to_address && session.address !== address) return null
      await used(session)
      return { user, session: session.id }
    },
    /** The user of a token that was identified since the start. Doesn't count as use. */
    userOf(token: string): number | null {
      const claims = verified.get(token)
      const session = claims && sessions.get(claims.keyId)
      return session && session.expires_at > clock.now() ? session.user_id : null
    },
    addressOf: (id: string) => sessions.get(id)?.address ?? null,
    async prove(id: string): Promise<void> {
      const session = sessions.get(id)
      if (!session) throw new AppError('unauthorized')
      session.proved_at = clock.now()
      await store(session)
    },
    isProved(id: string): boolean {
      const provedAt = sessions.get(id)?.proved_at ?? 0
      // A clock that was set back must not extend a proof.
      return Math.abs(clock.now() - provedAt) < proofMs
    },
    end,
    /** Ends all sessions of users, as a step of the change that is the reason. */
    endingUsers: (ids: readonly number[], keep: string | null = null): Step<Session> =>
      ending(
        ({ id, user_id }) => ids.includes(user_id) && id !== keep,
        (row) => row.and([row('user_id', 'in', ids), row('id', '!=', keep ?? '')]),
      ),
  }
}
