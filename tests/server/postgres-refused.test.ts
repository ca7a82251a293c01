import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { type Postgres, startPostgres } from '../support/peers/postgres.ts'
import { startProgram } from '../support/program.ts'

let postgres: Postgres
let folder: string
/** The folder of the cluster. */
let cluster: string

async function ask(...statements: string[]): Promise<void> {
  const client = new pg.Client(postgres.url)
  client.on('error', () => {})
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** A file that the cluster may read, and nobody else. */
function give(name: string, text: string): string {
  const file = join(cluster, name)
  writeFileSync(file, text, { mode: 0o600 })
  const { uid, gid } = statSync(cluster)
  chownSync(file, uid, gid)
  return file
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-refused-'))
  postgres = await startPostgres()
  const client = new pg.Client(postgres.url)
  await client.connect()
  const { rows } = await client.query<{ file: string }>("select current_setting('hba_file') as file")
  await client.end()
  cluster = dirname(rows[0]!.file)
  const { key, cert } = makeCertificate({ days: 10, name: 'postgres' })
  writeFileSync(join(folder, 'right.pem'), cert)
  writeFileSync(join(folder, 'wrong.pem'), makeCertificate({ days: 10, name: 'other' }).cert)
  give(
    'pg_hba.conf',
    'host all guarded all scram-sha-256\nhostssl all encrypted all trust\nhost all qd,reader all trust\n',
  )
  await ask(
    "create role guarded login password 'right'",
    'create role encrypted login',
    'create role reader login',
    // As PostgreSQL 15 and newer have it.
    'revoke create on schema public from public',
    'create database closed',
    'revoke connect on database closed from public',
    `alter system set ssl_key_file = '${give('own.key', key)}'`,
    `alter system set ssl_cert_file = '${give('own.pem', cert)}'`,
    'alter system set ssl = on',
    'select pg_reload_conf()',
  )
  // From then on the new pg_hba.conf counts, too: both are read by one signal.
  const encrypted = new URL(postgres.url)
  encrypted.search = '?sslmode=no-verify'
  await vi.waitFor(
    async () => {
      const client = new pg.Client(encrypted.href)
      client.on('error', () => {})
      await client.connect()
      await client.end()
    },
    { timeout: 30_000 },
  )
})
afterAll(async () => {
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Given {
  role?: string
  password?: string
  host?: string
  name?: string
  port?: number
  query?: string
}

/** What the server says that doesn’t start with this database. */
async function refusal({ role = 'qd', password = '', host, name, port, query = '' }: Given): Promise<string> {
  const url = new URL(postgres.url)
  Object.assign(url, { username: role, password, search: query })
  if (host !== undefined) url.hostname = host
  if (port !== undefined) url.port = String(port)
  if (name !== undefined) url.pathname = name
  const program = startProgram(['--no-agent', '--port', '0', '--data', mkdtempSync(join(folder, 'data-'))], {
    DATABASE_URL: url.href,
  })
  expect(await program.ended).toBe(2)
  const [, said] = /^quarterdeck: ([^\n]+)\n$/.exec(program.output.errors) ?? [null, program.output.errors]
  return said!
}

const cannot = 'cannot use the Postgres database in DATABASE_URL: '

const refusals: [string, () => Given, RegExp][] = [
  [
    'a host that doesn’t exist',
    () => ({ host: 'nowhere.invalid' }),
    // Or the resolver of this machine gives no answer.
    /^getaddrinfo (ENOTFOUND|EAI_AGAIN) nowhere\.invalid$|timeout/,
  ],
  [
    'a role that doesn’t exist',
    () => ({ role: 'nobody' }),
    /^no pg_hba\.conf entry for host "127\.0\.0\.1", user "nobody"/,
  ],
  [
    'a wrong password',
    () => ({ role: 'guarded', password: 'wrong' }),
    /^password authentication failed for user "guarded"$/,
  ],
  ['no password', () => ({ role: 'guarded' }), /password/],
  ['a role that may not make tables', () => ({ role: 'reader' }), /^permission denied for schema public$/],
  [
    'a role that may not connect',
    () => ({ role: 'reader', name: 'closed' }),
    /^permission denied for database "closed"$/,
  ],
  ['a database that doesn’t exist', () => ({ name: 'nothing' }), /^database "nothing" does not exist$/],
  [
    'no TLS where PostgreSQL asks for it',
    () => ({ role: 'encrypted' }),
    /^no pg_hba\.conf entry for .*, (no encryption|SSL off)$/,
  ],
  [
    'a certificate of another CA',
    () => ({ query: `sslmode=verify-full&sslrootcert=${join(folder, 'wrong.pem')}` }),
    /^self-signed certificate$/,
  ],
  [
    'a CA that is no file',
    () => ({ query: 'sslmode=verify-full&sslrootcert=/nowhere.pem' }),
    /^ENOENT: no such file or directory, open '\/nowhere\.pem'$/,
  ],
]

test.each(refusals)('issue 42: %s is one sentence', async (_name, given, said) => {
  const words = await refusal(given())
  expect(words).toMatch(new RegExp(`^${cannot}`))
  expect(words.slice(cannot.length)).toMatch(said)
})

/** Passes bytes on, and lets PostgreSQL claim to be version 12. */
async function startOlder(): Promise<Server> {
  const { hostname, port } = new URL(postgres.url)
  const client = new pg.Client(postgres.url)
  await client.connect()
  const { rows } = await client.query<{ own: string }>("select current_setting('server_version_num') as own")
  await client.end()
  const older = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far)
    far.on('data', (bytes) => near.write(bytes.toString('latin1').replace(rows[0]!.own, '120022'), 'latin1'))
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => older.once('listening', resolve))
  return older
}

test('issue 42: a PostgreSQL that is too old is one sentence', async () => {
  const older = await startOlder()
  expect(await refusal({ port: (older.address() as AddressInfo).port })).toBe(
    'DATABASE_URL leads to PostgreSQL 12; 13 or newer is required',
  )
  older.close()
})

test('issue 42: a replica that can only be read is one sentence', async () => {
  await postgres.stop()
  const signal = give('standby.signal', '')
  await postgres.start()
  expect(await refusal({})).toBe('DATABASE_URL leads to a replica that can only be read; name the primary server')
  await postgres.stop()
  rmSync(signal)
  await postgres.start()
})

test.each(['unblock 203.0.113.7', 'check'])(
  'issue 42: an address that can’t be read is one sentence of quarterdeck %s',
  async (words) => {
    const program = startProgram([...words.split(' '), '--data', folder], {
      DATABASE_URL: 'postgres://a:b#c@127.0.0.1/b',
    })
    expect(await program.ended).toBe(2)
    expect(program.output.errors).toMatch(/^quarterdeck: [^\n]*DATABASE_URL[^\n]*\n$/)
  },
)
