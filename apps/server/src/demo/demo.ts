import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, demoPassword } from '../config.ts'
import { reachableHost } from '../fleet/local-agent.ts'
import { Refusal } from '../kernel/refusal.ts'
import { type Outside, type RunningServer, startServer } from '../server.ts'
import { openSqlite } from '../store/db/sqlite.ts'
import { createStorage } from '../store/db/storage.ts'
import { startFleet } from './fleet.ts'
import { createMachines, type Machine } from './machines.ts'
import { makeRecords, signIn } from './records.ts'
import { delayOf, reportersOf, services } from './services.ts'
import { writeStory } from './story.ts'
import { notInDemo } from './streams.ts'
import { writeMadePast } from './write-history.ts'

/** A server’s demo: where it runs and who reports to it. */
export interface Demo {
  /** The outside world of its server: no network. */
  readonly outside: Outside
  /** Lines for the terminal: what this is, how to leave, how to sign in. */
  lines(origin: string): readonly string[]
  /** Connects the simulated agents. Resolves when each has reported. */
  connect(server: RunningServer): Promise<{ stop(): void }>
}

/** Marks a demo’s data folder, and says when the demo began. */
const markFile = 'demo.json'
const monthDays = 30

/** Whether a folder is a demo’s. */
const isDemo = (folder: string) => existsSync(join(folder, markFile))

/** Refuses to serve a demo’s folder as a real one: its password is public. Errors: Refusal. */
export function refuseDemoFolder(folder: string): void {
  if (isDemo(folder))
    throw new Refusal(`${folder} is the data folder of a demo; start it with --demo, or choose another --data folder`)
}

/** Opens the demo of a data folder; the first time, writes its records and a month of history. Errors: Refusal if the folder has real data. */
export async function openDemo(config: Config, outside: Outside): Promise<Demo> {
  const { data, adminPassword } = config
  const simulated = { ...outside, ...simulatedNetwork() }
  if (!isDemo(data)) {
    if (existsSync(data) && readdirSync(data).length > 0)
      throw new Refusal(`${data} isn’t the data folder of a demo; --demo needs a --data folder of its own`)
    await build(config, simulated)
  }
  const { start } = JSON.parse(readFileSync(join(data, markFile), 'utf8')) as { start: number }
  const machines = createMachines(start)
  const countries = new Map(machines.map(({ address, country }) => [address, country]))
  const password = adminPassword === demoPassword ? demoPassword : '(as given in QD_ADMIN_PASSWORD)'
  return {
    outside: {
      ...simulated,
      simulated: { ...simulated.simulated, countryOf: (address) => countries.get(address) ?? '' },
    },
    lines: (origin) => [
      `Demo: ${machines.length} simulated servers, without network access or real commands. Ctrl+C ends it; to remove it, delete ${data}`,
      `Sign in as admin with the password ${password}`,
      `In a terminal: qd login ${origin} --user admin, then qd`,
    ],
    connect: ({ address, container }) =>
      startFleet({
        ...{ host: reachableHost(config.host), port: address.port },
        machines,
        start,
        secret: container.accounts.byName('admin')?.agent_secret ?? container.agentSecret,
        now: outside.clock.now,
        isKnown: (uuid) => container.servers.byUuid(uuid) !== undefined,
      }),
  }
}

/** Writes a new demo. It gets its name when it is complete, so that an interrupted start leaves none behind. */
async function build(config: Config, outside: Outside): Promise<void> {
  const { clock, timeZone } = outside
  const folder = `${config.data}.new`
  rmSync(folder, { recursive: true, force: true })
  const start = clock.now()
  const machines = createMachines(start)
  const password = config.adminPassword ?? demoPassword
  const server = await startServer({ ...config, ...quiet, data: folder, adminPassword: password }, outside)
  const { servers, accounts } = server.container
  const ownerId = accounts.byName('admin')!.id
  for (const { uuid } of machines) await servers.enrol({ uuid, ownerId })
  const ids = await makeRecords(await signIn(server.origin, password), machines, start).finally(server.stop)
  const db = await openSqlite(folder, createStorage(outside))
  await writeStory({ db, machines, ids, start, timeZone, ownerId })
  await db.destroy()
  await writePast(join(folder, 'history.db'), machines, { start, timeZone })
  writeFileSync(join(folder, markFile), `${JSON.stringify({ start })}\n`, { mode: 0o600 })
  rmSync(config.data, { recursive: true, force: true })
  renameSync(folder, config.data)
}

/** While the records are made, only this process may reach the server. */
const quiet = { host: '127.0.0.1', port: 0, tls: null, trustProxy: [] }

/** What all machines and services measured in the past month. */
function writePast(
  file: string,
  machines: readonly Machine[],
  { start, timeZone }: { start: number; timeZone: string },
): Promise<void> {
  const online = ({ offlineSince }: Machine, at: number) => offlineSince === null || at < offlineSince
  return writeMadePast(file, {
    ...{ now: start, days: monthDays, timeZone },
    servers: machines.map((machine) => ({
      serverId: machine.id,
      sampleAt: (at) => (online(machine, at) ? machine.sampleAt(at) : null),
    })),
    probes: services.flatMap((service, index) =>
      reportersOf(service, machines).map((machine) => ({
        ...{ serviceId: index + 1, serverId: machine.id },
        delayAt: (at: number) => delayOf(service, machine, at, start),
      })),
    ),
  })
}

/** Answers in place of the network, so that messages and updates of names seem to succeed and nothing is sent. */
function simulatedNetwork() {
  const refuse = async () => {
    throw new Error(notInDemo)
  }
  return {
    resolve: refuse,
    simulated: {
      outbound: async () => ({ status: 200, reason: 'OK', body: '' }),
      fetch: refuse,
      countryOf: () => '',
    },
  }
}
