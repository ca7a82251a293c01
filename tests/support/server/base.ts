import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldOf, type InputOf, type Resource, Role } from '@qd/core/define'
import { cron, server } from '@qd/core/resources'
import { sql } from 'kysely'
import { createFirewall } from '../../../apps/server/src/access/firewall.ts'
import { createGate } from '../../../apps/server/src/access/gate.ts'
import { createSockets } from '../../../apps/server/src/access/sockets.ts'
import { type LoadedRecords, loadRecords } from '../../../apps/server/src/api/resources/registry.ts'
import type { Base } from '../../../apps/server/src/base.ts'
import { parseConfig } from '../../../apps/server/src/config.ts'
import type { Caller } from '../../../apps/server/src/kernel/caller.ts'
import { createLog } from '../../../apps/server/src/kernel/log.ts'
import { createClientAddresses } from '../../../apps/server/src/kernel/net/client-address.ts'
import { createUnauthenticated } from '../../../apps/server/src/kernel/net/unauthenticated.ts'
import type { Clock } from '../../../apps/server/src/kernel/ports.ts'
import { createJointWrites } from '../../../apps/server/src/store/db/joint-writes.ts'
import { openPostgres } from '../../../apps/server/src/store/db/postgres.ts'
import type { Db } from '../../../apps/server/src/store/db/schema.ts'
import { openSqlite } from '../../../apps/server/src/store/db/sqlite.ts'
import { createAccounts } from '../../../apps/server/src/store/records/accounts.ts'
import { createAnnouncements } from '../../../apps/server/src/store/records/announcements.ts'
import { createAudit } from '../../../apps/server/src/store/records/audit.ts'
import { createConsoleNames, createNatNames } from '../../../apps/server/src/store/records/console-names.ts'
import { createQuota } from '../../../apps/server/src/store/records/quota.ts'
import type { CronRow, ServerRow, UserRow } from '../../../apps/server/src/store/records/rows.ts'
import { createSettings, type MutableSettings } from '../../../apps/server/src/store/records/settings.ts'
import { zeroOf } from '../../../apps/server/src/store/records/table.ts'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '../test-database.ts'

/** The stores of a server on an empty database in a folder of its own, with an admin and a member. */
export interface TestBase extends Omit<Base, keyof LoadedRecords>, LoadedRecords {
  settings: MutableSettings
  admin: UserRow
  member: UserRow
  /** Lines of the log. */
  lines: string[]
  addServer(fields?: Partial<ServerRow>): Promise<ServerRow>
  addCron(fields?: Partial<CronRow>): Promise<CronRow>
  close(): Promise<void>
}

/** Secret of agents that belong to nobody. */
export const siteSecret = 'siteSecret0123456789012345678901'

/** Builds the stores. `callerOf` stands for the gate; without it everybody is a guest. */
export async function createTestBase(clock: Clock, callerOf?: (request: IncomingMessage) => Caller): Promise<TestBase> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-engines-'))
  const lines: string[] = []
  const log = createLog('json', (line) => lines.push(line))
  const random = { bytes: (size: number) => new Uint8Array(randomBytes(size)) }
  const url = databaseOf(folder)
  const db = url === null ? await openSqlite(folder) : (await openPostgres(url, { log, taken: () => {} })).db
  const writes = createJointWrites({ db, clock, log })
  const accounts = await createAccounts({ db, clock, random, siteSecret })
  const admin = await accounts.create({ username: 'admin', password: 'admin-password', role: Role.admin })
  const member = await accounts.create({ username: 'alice', password: 'alice-password', role: Role.user })
  const settings = await createSettings({ db, hostTimeZone: 'UTC' })
  const records = await loadRecords({ db, clock, random, quota: createQuota({ accounts, settings }) })
  const clients = createClientAddresses([])
  const guest = (): Caller => ({
    viewer: { id: null, username: '', role: 1, scopes: null },
    session: null,
    address: '',
  })
  const { sameOrigin, isSignedIn, userOf } = createGate(
    { identify: async () => null, userOf: () => null },
    { identify: async () => guest(), ownerOf: () => null },
    clients,
  )
  const config = parseConfig(['--port', '0', '--data', folder, '--no-agent'], {})
  if (config === 'help') throw new Error('no flags were given')
  const consoleNames = await createConsoleNames({ db, clock, log, isTaken: () => false })
  return {
    config,
    log,
    clock,
    retention: clock,
    random,
    resolve: async () => [],
    db,
    // History is in a file of its own.
    postgres: null,
    writes,
    mayAct: () => true,
    accounts,
    ...records,
    announcements: createAnnouncements(),
    settings,
    audit: await createAudit({ db, clock, writes }),
    gate: { identify: async (request) => (callerOf ?? guest)(request), sameOrigin, isSignedIn, userOf },
    sockets: createSockets(),
    firewall: await createFirewall({ db, clock, log }),
    clients,
    unauthenticated: createUnauthenticated({ trusts: () => false, isOwn: () => true, descriptors: 4096, log }),
    consoleNames,
    natNames: createNatNames({ settings, accounts, consoleNames, listensOn: config.host }),
    admin,
    member,
    lines,
    addServer: (fields) => records.servers.insert({ ...emptyServer(), ...fields }),
    addCron: (fields) => records.crons.insert({ ...emptyCron, owner_id: admin.id, ...fields }),
    async close() {
      await db.destroy()
      dropDatabaseOf(folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Lets writes of a table fail, as with a full disk, until the returned function is called. */
export async function failWrites(
  db: Db,
  table: string,
  kind: 'insert' | 'update' | 'delete',
): Promise<() => Promise<void>> {
  const raise = `create or replace function no_room() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$`
  if (isOnPostgres) await sql.raw(raise).execute(db)
  const body = isOnPostgres ? 'execute function no_room()' : "begin select raise(abort, 'disk full'); end"
  await sql.raw(`create trigger full_disk before ${kind} on ${table} ${body}`).execute(db)
  return async () => {
    await sql.raw(`drop trigger full_disk${isOnPostgres ? ` on ${table}` : ''}`).execute(db)
  }
}

/** A caller signed in as this user. */
export function callerFor({ id, username, role }: UserRow, session = `session of ${username}`): Caller {
  return { viewer: { id, username, role, scopes: null }, session, address: '127.0.0.1' }
}

/** What the server stores if a body says nothing. */
function emptyInput<R extends Resource>(resource: R): InputOf<R> {
  const names = Object.keys(resource.input.shape)
  return Object.fromEntries(names.map((name) => [name, zeroOf(fieldOf(resource, name))])) as InputOf<R>
}

const emptyServer = () => ({
  ...emptyInput(server),
  owner_id: 0,
  uuid: crypto.randomUUID(),
  name: 'web-1',
  secret_hash: '',
  enrolled_at: null,
  last_seen_at: null,
  host: {},
  geoip: {},
})

const emptyCron = {
  ...emptyInput(cron),
  owner_id: 0,
  name: 'backup',
  scheduler: '0 0 3 * * *',
  command: 'echo hello',
  cover: 1,
  last_executed_at: null,
  last_result: false,
  last_run_id: 0,
  last_counts: {},
  schedule_set_at: 0,
}
