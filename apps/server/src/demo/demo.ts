import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { reachableHost } from '../fleet/local-agent.ts'
import { Refusal } from '../kernel/errors.ts'
import { type Outside, type RunningServer, startServer } from '../server.ts'
import { openSqlite } from '../store/db/sqlite.ts'
import { createStorage } from '../store/db/storage.ts'
import { makeFolder } from '../upkeep/data-folder.ts'
import { startFleet } from './fleet.ts'
import { createMachines, type Machine } from './machines.ts'
import { makeRecords, signIn } from './records.ts'
import { delayOf, reportersOf, services } from './services.ts'
import { writeStory } from './story.ts'
import { notInDemo } from './streams.ts'
import { writeMadePast } from './write-history.ts'

export interface Demo {
  readonly outside: Outside
  lines(origin: string): readonly string[]
  /** Resolves when each agent has reported. */
  connect(server: RunningServer): Promise<{ stop(): void }>
}

const markFile = 'demo.json'

interface Mark {
  start: number
  isPublic: boolean
}

/** Unless QD_ADMIN_PASSWORD is set. */
const publicPassword = 'quarterdeck'

const monthDays = 30

const isDemo = (folder: string) => existsSync(join(folder, markFile))

/** A demo's password is public. Errors: Refusal. */
export function refuseDemoFolder(folder: string): void {
  if (isDemo(folder))
    throw new Refusal(`${folder} is the data folder of a demo; start it with --demo, or choose another --data folder`)
}

/** Refuses the public password if other hosts can reach the demo. Errors: Refusal. */
function refuseOthers({ host, trustProxy, data }: Config, { isPublic }: Pick<Mark, 'isPublic'>): void {
  if (!isPublic || (['127.0.0.1', '::1', 'localhost'].includes(host) && trustProxy.length === 0)) return
  const others = trustProxy.length > 0 ? 'serve a proxy' : `listen on ${host}`
  throw new Refusal(
    `the password of this demo is public; to ${others}, ${isDemo(data) ? `delete ${data} and ` : ''}set QD_ADMIN_PASSWORD to another before the first start`,
  )
}

/** Creates the demo at the first start. Errors: Refusal if the folder has other data. */
export async function openDemo(config: Config, outside: Outside): Promise<Demo> {
  const { data } = config
  const simulated = { ...outside, ...simulatedNetwork() }
  if (!isDemo(data)) {
    if (existsSync(data) && readdirSync(data).length > 0)
      throw new Refusal(`${data} isn’t the data folder of a demo; --demo needs a --data folder of its own`)
    const isPublic = (config.adminPassword ?? publicPassword) === publicPassword
    refuseOthers(config, { isPublic })
    await build(config, simulated, isPublic)
  }
  const { start, isPublic = true } = JSON.parse(readFileSync(join(data, markFile), 'utf8')) as Partial<Mark> &
    Pick<Mark, 'start'>
  refuseOthers(config, { isPublic })
  const machines = createMachines(start)
  const countries = new Map(machines.map(({ address, country }) => [address, country]))
  const password = isPublic ? publicPassword : '(as given in QD_ADMIN_PASSWORD at the first start)'
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
        secret: container.agentSecret,
        now: outside.clock.now,
        isKnown: (uuid) => container.servers.byUuid(uuid) !== undefined,
      }),
  }
}

/** Renames the folder when complete, so that an interrupted start leaves none. */
async function build(config: Config, outside: Outside, isPublic: boolean): Promise<void> {
  const folder = makeBeside(config.data)
  try {
    const start = await write(folder, config, outside)
    const mark: Mark = { start, isPublic }
    writeFileSync(join(folder, markFile), `${JSON.stringify(mark)}\n`, { mode: 0o600 })
    // Fails if it is no longer empty.
    if (existsSync(config.data)) rmdirSync(config.data)
    renameSync(folder, config.data)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function makeBeside(data: string): string {
  try {
    makeFolder(dirname(data))
    return mkdtempSync(`${data}.new-`)
  } catch (error) {
    throw new Refusal(`cannot write to the folder of ${data}: ${(error as Error).message}`, { cause: error })
  }
}

async function write(folder: string, config: Config, outside: Outside): Promise<number> {
  const { clock, timeZone } = outside
  const start = clock.now()
  const machines = createMachines(start)
  const password = config.adminPassword ?? publicPassword
  const server = await startServer({ ...config, ...quiet, data: folder, adminPassword: password }, outside)
  const { servers, accounts } = server.container
  const ownerId = accounts.byName('admin')!.id
  for (const { uuid } of machines) await servers.enrol({ uuid, ownerId })
  const ids = await makeRecords(await signIn(server.origin, password), machines, start).finally(server.stop)
  const db = await openSqlite(folder, createStorage(outside))
  await writeStory({ db, machines, ids, start, timeZone, ownerId })
  await db.destroy()
  await writePast(join(folder, 'history.db'), machines, { start, timeZone })
  return start
}

/** Only this process may connect meanwhile. */
const quiet = { host: '127.0.0.1', port: 0, tls: null, trustProxy: [] }

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

function simulatedNetwork() {
  const refuse = async () => {
    throw new Error(notInDemo)
  }
  return {
    resolve: refuse,
    simulated: {
      outbound: async () => ({ status: 200, reason: 'OK', body: '' }),
      fetch: refuse,
      findZone: async (domain: string) => domain,
      countryOf: () => '',
    },
  }
}
