import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { ClientBase, QueryConfig, QueryResultRow } from 'pg'
import { isDiskFull, Refusal } from '../../kernel/errors.ts'
import { version } from '../../kernel/version.ts'
import type { Db } from './schema.ts'

/** The row that names the server that may write, beside the lock, which PostgreSQL may keep for one that hangs. Not of the migrations: a standby reads it before it may migrate. */
const table = `create table if not exists holder (
  id integer primary key check (id = 1), application_name text not null, at timestamptz not null, version text not null,
  is_standby boolean not null, former text)`

export const lockKey = 7_146_001

export const ofLock = `locktype = 'advisory' and classid = 0 and objid = ${lockKey} and granted
  and database = (select oid from pg_database where datname = current_database())`

const undefinedTable = '42P01'
/** By the database's clock. */
const staleAfterS = 5
const askWithinMs = 3000
const endEveryMs = 50
const endWithinMs = 10_000

type Session = Pick<ClientBase, 'query'>

/** What can be asked for the site: a session, or the connections of a running server. */
interface SiteDatabase {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

const overPool = (db: Db): SiteDatabase => ({
  query: <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
    db.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>),
})

export const readSiteOf = (db: Db): ReturnType<typeof readSite> => readSite(overPool(db))

const program = 'quarterdeck'
const ownHost = () =>
  hostname()
    .replace(/[^\w.-]/g, '')
    .slice(0, 24)

/** Of one process: PostgreSQL keeps 63 bytes. Names host and process for the administrator. */
export const sessionName = (): string => `${program} ${ownHost()} ${process.pid} ${randomBytes(6).toString('hex')}`

export const isOfProcess = (name: string, pid: number): boolean => name.startsWith(`${program} ${ownHost()} ${pid} `)

/** Host and process. */
export function placeIn(name: string, before = ', process ', after = ''): string {
  const [, host = '', pid = ''] = name.split(' ')
  return `${host}${before}${pid}${after}`
}

export interface Holder {
  name: string
  version: string
  /** Whether it runs with --standby, and so ends when it can’t reach the database. */
  isStandby: boolean
  /** Whose sessions may be there still. */
  former: string | null
  /** Whether it has the lock, too. */
  isActive: boolean
  /** In seconds, by the database's clock. */
  age: number
  at: string
}

export const isStale = ({ age }: Pick<Holder, 'age'>): boolean => age > staleAfterS

/** Null before the first server of a version that has the row. */
export async function readHolder(session: SiteDatabase): Promise<Holder | null> {
  const row = `select application_name as name, version, is_standby as "isStandby", former, at::text as at,
    extract(epoch from clock_timestamp() - at)::float8 as age,
    application_name in (select application_name from pg_stat_activity
      where pid in (select pid from pg_locks where ${ofLock})) as "isActive"
    from holder where id = 1`
  return (await session.query<Holder>(row).catch(none)).rows[0] ?? null
}

function none(error: { code?: unknown }): { rows: never[] } {
  if (error.code === undefinedTable) return { rows: [] }
  throw error
}

/** Names this server after it took the lock, and ends what the former one left: no write of it comes later. */
export async function succeed(session: Session, name: string | null, isStandby: boolean): Promise<void> {
  if (name === null) return
  await session.query(table)
  const holder = await readHolder(session)
  await endFormer(session, holder?.former ?? null, name)
  const former = holder && holder.name !== name ? holder.name : null
  await session.query(
    `insert into holder values (1, $1, clock_timestamp(), $2, $3, $4) on conflict (id)
     do update set application_name = excluded.application_name, at = excluded.at, version = excluded.version,
     is_standby = excluded.is_standby, former = excluded.former`,
    [name, version, isStandby, former],
  )
  await endFormer(session, former, name)
}

/** Ends the sessions of a server that the row no longer names. Until all are gone, its name stays in the row, so that any other server can repeat this. */
export async function endFormer(session: Session, former: string | null, name: string | null): Promise<void> {
  if (former === null) return
  if (former !== name) await endSessions(session, former)
  await session.query('update holder set former = null where id = 1 and former = $1', [former])
}

/** Errors: those of a database that can’t be written, whose beats say nothing about their server. */
export async function demandWritable(session: Session): Promise<void> {
  await session.query('update holder set version = version where id = 1')
}

/** Takes the row from a holder whose beat is stale still, and ends its sessions, so that PostgreSQL frees the lock. False if the holder has been faster, or another standby. */
export async function fence(session: Session, holder: Holder, name: string): Promise<boolean> {
  const { rowCount } = await session.query(
    `update holder set application_name = $1, at = clock_timestamp(), version = $2, is_standby = true,
     former = application_name where id = 1 and application_name = $3 and at < clock_timestamp() - interval '${staleAfterS} s'`,
    [name, version, holder.name],
  )
  if (rowCount === 0) return false
  await endFormer(session, holder.name, name)
  return true
}

const ofName = 'application_name = $1 and datname = current_database() and pid <> pg_backend_pid()'

/** A session that asked for the row before it named another server is in the list: those that come later find the other one. */
async function endSessions(session: Session, name: string): Promise<void> {
  const until = performance.now() + endWithinMs
  for (;;) {
    const { rows } = await session.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofName}`, [
      name,
    ])
    if (rows.length === 0) return
    if (performance.now() > until) throw new Error('the connections of the former server don’t end')
    await sleep(endEveryMs)
  }
}

/** Errors: Refusal if the holder's sessions are of a role that this one can't end. */
export async function demandSameRole(session: Session, holder: Holder): Promise<void> {
  const foreign = `select usename as role from pg_stat_activity where ${ofName} and not pg_has_role(usesysid, 'usage') limit 1`
  const { rows } = await session.query<{ role: string }>(foreign, [holder.name])
  if (rows[0])
    throw new Refusal(
      `the active server connects as the PostgreSQL role ${rows[0].role}, whose connections this role can’t end; use the same role in DATABASE_URL`,
    )
}

/** With a full disk, the beat can't be written and this alone is asked. */
const isNamed = `exists (select from holder where id = 1 and application_name = $1) as named`
const beaten = `with beaten as (
  update holder set at = clock_timestamp() where id = 1 and application_name = $1 returning at)`
const beats = `exists (select from beaten) as named, (select extract(epoch from at)::float8 from beaten) as at,
  (select extract(epoch from at)::float8 from holder where id = 1) as before`

interface Beat {
  named: boolean
  /** This beat and the one before it as the database had it, in seconds; not where none could be written. */
  at?: number | null
  before?: number | null
}

/** Writes the beat, and reads `proof` in the same query. */
export async function beat<T extends object>(session: Session, name: string | null, proof: string): Promise<T & Beat> {
  const values = name === null ? [] : [name]
  const ask = async (text: string) => (await session.query<T & Beat>(text, values)).rows[0]!
  if (name === null) return ask(`select ${proof}, true as named`)
  try {
    return await ask(`${beaten} select ${proof}, ${beats}`)
  } catch (error) {
    if (isDiskFull(error)) return ask(`select ${proof}, ${isNamed}`)
    // The database was replaced.
    if ((error as { code?: unknown }).code === undefinedTable) return { named: false } as T & Beat
    throw error
  }
}

export async function isOwnHolder(session: Session, name: string | null): Promise<boolean> {
  if (name === null) return true
  const query: QueryConfig & { query_timeout: number } = {
    text: `select ${isNamed}`,
    values: [name],
    query_timeout: askWithinMs,
  }
  return (await session.query<{ named: boolean }>(query).catch(none)).rows[0]?.named ?? false
}

/** The server that has the lock and the row, and the names of those that wait. */
export async function readSite(session: SiteDatabase): Promise<{ active: Holder | null; standbys: readonly string[] }> {
  const names = `select distinct application_name as name from pg_stat_activity
    where application_name like '${program} %' and datname = current_database()`
  const holder = await readHolder(session)
  const all = (await session.query<{ name: string }>(names)).rows.map(({ name }) => name)
  const active = holder?.isActive ? holder : null
  return { active, standbys: all.filter((name) => name !== active?.name) }
}
