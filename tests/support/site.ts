import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Browser, createBrowser } from './browser.ts'
import { makeCertificate } from './certificates.ts'
import { freePort, type Postgres } from './peers/postgres.ts'
import { type Program, startProgram } from './program.ts'
import { readSource } from './sources.ts'
import { siteSecret } from './world.ts'

export const password = 'a first password'

/** A server of a site, started as docs/operate/standby.md says, on a port of its own that it keeps. */
export interface Core extends Program {
  readonly origin: string
}

export interface CoreOptions {
  /** Its way to the database: another host and port, such as those of a line that a test cuts. */
  database?: { hostname?: string; port?: number; username?: string }
  /** Of its own machine, as the balancer reaches it. */
  host?: string
  /** Words before the program, such as `ip netns exec NAME`. */
  inside?: readonly string[]
  isStandby?: boolean
  /** The main.js of another build. */
  main?: string
  environment?: Record<string, string>
}

/** Two places for servers on one database, behind haproxy with the configuration of the docs. */
export interface Site {
  readonly folder: string
  readonly url: string
  /** For queries beside the servers. */
  readonly database: pg.Client
  /** Starts the server of a place, anew if one was there. */
  start(place: 'a' | 'b', options?: CoreOptions): Core
  /** Starts the balancer in front of the ports of both places. Returns its origin. */
  balance(hosts?: Partial<Record<'a' | 'b', string>>): Promise<string>
  close(): Promise<void>
}

const haproxy = '/usr/sbin/haproxy'

let count = 0

export async function createSite(postgres: Postgres): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-site-'))
  count += 1
  const name = `site_${process.pid}_${count}`
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(postgres.url)
  url.pathname = name
  const database = new pg.Client(url.href)
  // A test ends what it wants.
  database.on('error', () => {})
  await database.connect()
  const ports = { a: await freePort(), b: await freePort() }
  const cores = new Set<Core>()
  let balancer: ChildProcess | null = null

  return {
    folder,
    url: url.href,
    database,
    start(
      place,
      { database: way = {}, host = '127.0.0.1', inside = [], isStandby = true, main, environment = {} } = {},
    ) {
      const own = new URL(url)
      Object.assign(own, way)
      const data = join(folder, place)
      mkdirSync(data, { recursive: true })
      const flags = /^QD_FLAGS=(.*)$/m
        .exec(documented('sh'))![1]!
        .replace(isStandby ? '' : ' --standby', '')
        .replace('0.0.0.0', host)
        .replace('192.0.2.10', 'loopback')
      const program = startProgram(
        [...flags.split(' '), '--port', `${ports[place]}`, '--data', data],
        { QD_ADMIN_PASSWORD: password, QD_AGENT_SECRET: siteSecret, DATABASE_URL: own.href, ...environment },
        { inside, ...(main !== undefined && { main }) },
      )
      const core = { ...program, origin: `http://${host}:${ports[place]}` }
      cores.add(core)
      return core
    },
    async balance(hosts = {}) {
      const port = await freePort()
      const { cert, key } = makeCertificate({ days: 2, name: 'site' })
      writeFileSync(join(folder, 'status.both.pem'), cert + key)
      const text = documented('haproxy')
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replaceAll('/etc/ssl/', `${folder}/`)
        .replaceAll('192.0.2.11:8008', `${hosts.a ?? '127.0.0.1'}:${ports.a}`)
        .replaceAll('192.0.2.12:8008', `${hosts.b ?? '127.0.0.1'}:${ports.b}`)
      writeFileSync(join(folder, 'haproxy.cfg'), text)
      if (!existsSync(haproxy))
        throw new Error('these tests need haproxy: npm test installs it; by hand: apt-get install haproxy')
      const child = spawn(haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'ignore', 'pipe'] })
      balancer = child
      // It takes all servers for ready until it has looked at each twice.
      await new Promise<void>((resolve, reject) => {
        let said = ''
        child.stderr.on('data', (text) => {
          said += text
          if (said.includes('Server console/')) resolve()
        })
        child.once('exit', () => reject(new Error(`haproxy ended: ${said}`)))
      })
      return `https://127.0.0.1:${port}`
    },
    async close() {
      balancer?.kill('SIGKILL')
      for (const { child, ended } of cores) {
        child.kill('SIGKILL')
        await ended
      }
      await database.end()
      const last = new pg.Client(postgres.url)
      await last.connect()
      await last.query(`drop database ${name} with (force)`)
      await last.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A block of docs/operate/standby.md. */
export function documented(language: string): string {
  const [, block] =
    new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(readSource('docs/operate/standby.md')) ?? []
  if (block === undefined) throw new Error(`docs/operate/standby.md shows no ${language}`)
  return block
}

/** The status of `/readyz`; 0 without an answer within two seconds. */
export async function readiness(origin: string): Promise<number> {
  try {
    return (await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) })).status
  } catch {
    return 0
  }
}

/** Writes one record after the other through the balancer. What was answered 200 must be there later. */
export interface Writer {
  readonly acknowledged: readonly string[]
  /** Statuses of all answers, each once; 0 for a connection that was cut. */
  readonly statuses: ReadonlySet<number>
  stop(): Promise<void>
}

export function startWriter(browser: Browser, label: string): Writer {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let isOver = false
  async function run() {
    for (let turn = 0; !isOver; turn += 1) {
      const name = `${label} ${turn}`
      const answer = await browser
        .send('POST', '/api/v1/server-group', { body: { name } })
        .catch(() => ({ status: 0, body: {} as { success?: boolean } }))
      if (answer.body?.success) acknowledged.push(name)
      statuses.add(answer.status)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const running = run()
  return {
    acknowledged,
    statuses,
    stop() {
      isOver = true
      return running
    },
  }
}

/** Signs in as soon as the balancer has found the active server. */
export async function signedIn(origin: string): Promise<Browser> {
  const browser = createBrowser(origin)
  while (!browser.cookies.has('nz-csrf')) {
    await browser.login('admin', password).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return browser
}

/** A machine of its own: a network namespace with one line to this one. */
export interface Machine {
  /** This machine's address on the line, and its own. */
  readonly near: string
  readonly far: string
  readonly network: string
  readonly inside: readonly string[]
  cut(): void
  close(): void
}

/** Only the administrator can have one, and not on every kernel. */
export function hasNamespaces(): boolean {
  if (userInfo().uid !== 0) return false
  try {
    execFileSync('unshare', ['-n', 'true'], { stdio: 'ignore' })
    execFileSync('ip', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function createMachine(): Machine {
  const name = `qd-${process.pid}`
  const [here, there] = [`qd${process.pid}h`, `qd${process.pid}t`]
  const part = `10.251.${process.pid % 250}`
  const [near, far] = [`${part}.1`, `${part}.2`]
  const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'ignore' })
  ip('netns', 'add', name)
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name)
  ip('addr', 'add', `${near}/30`, 'dev', here)
  ip('link', 'set', here, 'up')
  ip('-n', name, 'addr', 'add', `${far}/30`, 'dev', there)
  ip('-n', name, 'link', 'set', there, 'up')
  ip('-n', name, 'link', 'set', 'lo', 'up')
  return {
    near,
    far,
    network: `${part}.0/30`,
    inside: ['ip', 'netns', 'exec', name],
    cut: () => void ip('link', 'set', here, 'down'),
    close() {
      // With its namespace alone, the link would go some time later.
      ip('link', 'del', here)
      ip('netns', 'del', name)
    },
  }
}
