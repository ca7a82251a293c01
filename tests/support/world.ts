import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, usualDdnsOrigins } from '@qd/server/config'
import { createLog } from '@qd/server/log'
import type { Clock } from '@qd/server/ports'
import { systemClock, systemDescriptors, systemRandom, systemResolve, systemTimeZone } from '@qd/server/ports'
import type { Entity } from '@qd/server/resources/entity'
import { type RunningServer, startServer } from '@qd/server/server'
import { type Browser, createBrowser } from './browser.ts'
import { type AgentOptions, type SimulatedAgent, startSimulatedAgent } from './peers/simulated-agent.ts'
import { databaseOf, dropDatabaseOf } from './test-database.ts'

/** The first user of every world. */
export const admin = { username: 'admin', password: 'correct horse battery' } as const

/** The site's own agent secret in every world. */
export const siteSecret = 'site-agent-secret-0123456789abcd'

/** What a world may have otherwise than usual. */
export interface WorldOptions {
  /** Default: the machine's clock. */
  clock?: Clock
  config?: Partial<Config>
  /** An existing data folder, which stays; default: a temporary one, removed by `close`. */
  data?: string
  /** Addresses of the hosts that messages go to. Default: the machine's own. */
  resolve?: typeof systemResolve
  /** The host's time zone. Default: the machine's own. */
  timeZone?: string
  /** Entities besides those of the registry; their tables are in the data folder. */
  entities?: readonly Entity[]
}

/** A real server in this process on a free port, with a database of its own. */
export interface World {
  readonly origin: string
  readonly port: number
  readonly data: string
  readonly server: RunningServer
  /** Lines of the server's log, JSON, oldest first. */
  readonly log: readonly string[]
  /** A caller with an empty jar. */
  guest(): Browser
  /** A signed-in caller; the administrator unless told otherwise. */
  login(user?: { username: string; password: string }): Promise<Browser>
  /** Makes a member and signs in. Returns the caller, its id and its agent secret. */
  member(username: string): Promise<{ browser: Browser; id: number; secret: string; password: string }>
  /** A simulated agent; with the site's secret unless told otherwise. Numbered uuids: `uuidOf(1)`. */
  agent(options?: Partial<AgentOptions>): Promise<SimulatedAgent>
  /** Stops the server and starts it again on the same folder, on another port. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The n-th uuid of a world's agents: all digits n. */
export const uuidOf = (n: number): string => '00000000-0000-4000-8000-000000000000'.slice(0, -String(n).length) + n

/** Starts a world; close it in `afterAll`. */
export async function createWorld({
  clock = systemClock,
  config = {},
  data,
  resolve = systemResolve,
  timeZone = systemTimeZone(),
  entities = [],
}: WorldOptions = {}): Promise<World> {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'qd-world-'))
  const log: string[] = []
  const agents: SimulatedAgent[] = []
  const start = () =>
    startServer(configOf(folder, config), {
      clock,
      random: systemRandom,
      resolve,
      timeZone,
      descriptors: systemDescriptors(),
      entities,
      log: createLog('json', (line) => log.push(line)),
    })
  let server = await start()

  const login = async ({ username, password }: { username: string; password: string } = admin) => {
    const browser = createBrowser(server.origin)
    const { body } = await browser.login(username, password)
    if (body?.success !== true) throw new Error(`${username} could not sign in: ${body?.error}`)
    return browser
  }
  const endAgents = () => Promise.all(agents.splice(0).map((agent) => agent.close().catch(() => undefined)))

  return {
    get origin() {
      return server.origin
    },
    get port() {
      return server.address.port
    },
    get server() {
      return server
    },
    data: folder,
    log,
    guest: () => createBrowser(server.origin),
    login,
    async member(username) {
      const password = `${username} has a password`
      const user = await server.container.accounts.create({ username, password, role: 1 })
      return { browser: await login({ username, password }), id: user.id, secret: user.agent_secret, password }
    },
    async agent(options = {}) {
      const defaults = { port: server.address.port, secret: siteSecret, uuid: uuidOf(agents.length + 1) }
      const agent = await startSimulatedAgent({ ...defaults, ...options })
      agents.push(agent)
      return agent
    },
    async restart() {
      await endAgents()
      await server.stop()
      server = await start()
    },
    async close() {
      await endAgents()
      await server.stop()
      if (data !== undefined) return
      dropDatabaseOf(folder)
      // A file may still be on its way into the folder.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function configOf(data: string, changes: Partial<Config>): Config {
  return {
    host: '127.0.0.1',
    port: 0,
    data,
    agent: false,
    tls: null,
    trustProxy: [],
    adminPassword: admin.password,
    agentSecret: siteSecret,
    databaseUrl: databaseOf(data),
    standby: false,
    log: 'json',
    web: join(data, 'web'),
    agentBundle: join(data, 'agent.mjs'),
    ddnsOrigins: usualDdnsOrigins,
    demo: false,
    upstream: null,
    ...changes,
  }
}
