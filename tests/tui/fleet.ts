import { taskType } from '@qd/protocol/task-types'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

/** A world with named servers, groups and tasks. */
export interface Fleet {
  readonly world: World
  /** Ids of the servers by name. */
  readonly ids: ReadonlyMap<string, number>
  readonly agents: ReadonlyMap<string, SimulatedAgent>
  /** What an agent reports from now on. */
  sample(name: string, sample: Sample): void
  /** An agent goes silent. */
  silence(name: string): void
  close(): Promise<void>
}

type Sample = Parameters<SimulatedAgent['report']>[0]
/** Agents repeat their sample, as real ones do. */
const reportEveryMs = 2000

const plainServer = {
  display_index: 0,
  note: '',
  public_note: '',
  hide_for_guest: false,
  enable_ddns: false,
  ddns_profiles: [],
  override_ddns_domains: {},
}
const probes: readonly bigint[] = [taskType.httpProbe, taskType.icmpProbe, taskType.tcpProbe]
const plainTask = { task_type: 0, push_successful: false, notification_group_id: 0 }

/** Starts a server with an agent per name. A name beginning with `web` is in the group web. Commands answer their own text; those of `db-2` fail. Probes succeed, but for targets with `down` in them. */
export async function createFleet(names: readonly string[]): Promise<Fleet> {
  const world = await createWorld()
  const agents = new Map<string, SimulatedAgent>()
  for (const [index, name] of names.entries()) {
    const onCommand = (command: string) =>
      name === 'db-2'
        ? { data: 'dumping\nno space left on device\nexit status 2', successful: false, delay: 3.1 }
        : { data: `ran ${command}\ndone on ${name}`, successful: true, delay: 0.4 }
    const onTask = ({ type, data }: { type: bigint; data: string }) => {
      if (!probes.includes(type)) return null
      return data.includes('down')
        ? { data: 'connection refused', successful: false }
        : { data: '', successful: true, delay: 12 + index }
    }
    const address = `192.0.2.${(index % 250) + 1}`
    agents.set(name, await world.agent({ uuid: uuidOf(index + 1), address, onCommand, onTask }))
  }
  const browser = await world.login()
  const listed = (await browser.api('GET', 'server')) as readonly { id: number; uuid: string }[]
  const ids = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const { id } = listed.find(({ uuid }) => uuid === uuidOf(index + 1))!
    ids.set(name, id)
    await browser.api('PATCH', `server/${id}`, { ...plainServer, name })
  }
  const webs = names.filter((name) => name.startsWith('web')).map((name) => ids.get(name)!)
  if (webs.length > 0) await browser.api('POST', 'server-group', { name: 'web', servers: webs })
  await browser.api('POST', 'cron', {
    ...plainTask,
    name: 'rotate-logs',
    scheduler: '0 0 3 * * *',
    command: 'logrotate -f /etc/logrotate.conf',
    cover: 1,
    servers: [],
  })
  await browser.api('POST', 'cron', {
    ...plainTask,
    task_type: 1,
    name: 'restart-workers',
    scheduler: '',
    command: 'systemctl restart workers',
    cover: 2,
    servers: [],
  })
  const samples = new Map<string, Sample>(names.map((name) => [name, {}]))
  const report = (name: string) => agents.get(name)!.report(samples.get(name))
  const timer = setInterval(() => {
    for (const name of samples.keys()) report(name)
  }, reportEveryMs)
  return {
    world,
    ids,
    agents,
    sample(name, sample) {
      samples.set(name, sample)
      report(name)
    },
    silence: (name) => void samples.delete(name),
    async close() {
      clearInterval(timer)
      await world.close()
    },
  }
}
