import { Host } from '@qd/protocol/agent'
import { type Product, password, secret } from '../bench/product.ts'
import { createBrowser } from '../support/browser.ts'
import { connectPeer, credentials } from '../support/h2-peer.ts'
import { type CommandOutcome, type SimulatedAgent, startSimulatedAgent } from '../support/simulated-agent.ts'
import { answerShell } from './shell.ts'

/** Servers, groups, tasks and runs that the pictures show. */
export interface Fleet {
  /** Id of a run with every state there can be. */
  readonly run: number
  /** Id of a server that is short of something. */
  readonly server: number
  /** Id of a server that gives a shell when it is asked by `giveShell`. */
  readonly shell: number
  /** Answers the next request for that shell. */
  giveShell(): Promise<void>
  close(): void
}

/** Names, and how many of each: the groups bear the first word. */
const names = [
  ...['cache-1', 'cache-2', 'db-ap-1', 'db-eu-1', 'db-eu-2', 'db-us-1', 'db-us-2'],
  ...['edge-fra-1', 'edge-fra-2', 'edge-nrt-1', 'edge-nrt-2', 'edge-sin-1', 'edge-sjc-1', 'edge-sjc-2'],
  ...['mail-1', 'mail-2', 'queue-1', 'queue-2'],
  ...Array.from({ length: 12 }, (_, index) => `web-${index + 1}`),
  ...['build-1', 'build-2', 'ci-1', 'lab-1', 'lab-2', 'lab-3', 'logs-1', 'metrics-1', 'proxy-1', 'vpn-1'],
]
const offline = 'edge-nrt-1'
const neverSeen = 'edge-sjc-2'
const silent = ['web-3', 'web-5']
const groups = ['cache', 'db', 'edge', 'mail', 'queue', 'web']
const reportEveryMs = 2000
const gigabyte = 1_000_000_000

const uuidOf = (index: number) => `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
const addressOf = (index: number) => `${['192.0.2', '198.51.100', '203.0.113'][index % 3]}.${11 + index}`

/** Whole numbers below `most`, the same in every run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed * 7919 + 1
  return (most) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
}

/** Figures that wander around values of their own; web-3 is short of processor, db-eu-2 of disk, the caches of memory. */
function createSampler(name: string, index: number) {
  const random = createRandom(index + 1)
  const cpu = name === 'web-3' ? 93 : 5 + random(55)
  const memory = name.startsWith('cache') ? 0.79 : 0.3 + random(40) / 100
  const disk = name === 'db-eu-2' ? 0.93 : name === 'db-eu-1' ? 0.78 : 0.15 + random(50) / 100
  const network = 200_000 + random(90_000_000)
  const uptime = 20_000 + random(18_000_000)
  const moved = 1e11 + random(1e9) * 1000
  return (seconds: number) => ({
    cpu: Math.min(99, Math.max(1, cpu + random(9) - 4 + 5 * Math.sin((seconds + index * 9) / 16))),
    mem_used: BigInt(Math.round(16 * gigabyte * (memory + random(20) / 1000))),
    swap_used: BigInt(random(200) * 1_000_000),
    disk_used: BigInt(Math.round(160 * gigabyte * disk)),
    net_in_speed: BigInt(Math.round(network * (0.9 + random(200) / 1000))),
    net_out_speed: BigInt(Math.round(network * 1.3 * (0.9 + random(200) / 1000))),
    net_in_transfer: BigInt(moved + network * seconds),
    net_out_transfer: BigInt(moved + network * seconds * 2),
    uptime: BigInt(uptime + seconds),
    load1: cpu / 13,
    load5: cpu / 15,
    load15: cpu / 18,
    tcp_conn_count: BigInt(80 + random(40)),
    udp_conn_count: 12n,
    process_count: BigInt(180 + random(8)),
  })
}

const host = {
  platform: 'debian',
  platform_version: '12.11',
  cpu: ['Simulated Processor 8 Virtual Core'],
  mem_total: BigInt(16 * gigabyte),
  swap_total: BigInt(2 * gigabyte),
  disk_total: BigInt(160 * gigabyte),
  virtualization: 'kvm',
}

const outcomeOf = (name: string): CommandOutcome =>
  name === 'db-eu-2'
    ? {
        data: 'pg_dumpall: dumping roles\npg_dumpall: dumping database "app"\nzstd: /srv/backup: No space left on device\nexit status 2',
        successful: false,
        delay: 3.1,
      }
    : name.startsWith('db')
      ? { data: `pg_dumpall: dumping roles\ndumped ${12 + name.length}.4 GiB\n`, successful: true, delay: 38.8 }
      : { data: 'nothing to dump\n', successful: true, delay: 0.4 }

const plainServer = {
  display_index: 0,
  note: '',
  public_note: '',
  hide_for_guest: false,
  enable_ddns: false,
  ddns_profiles: [],
  override_ddns_domains: {},
}

/** Starts the agents and makes the records. */
export async function createFleet({ origin, port }: Product): Promise<Fleet> {
  const agents = new Map<string, SimulatedAgent>()
  const browser = createBrowser(origin)
  await browser.login('admin', password)
  const serverId = async (uuid: string) => {
    const listed = (await browser.api('GET', 'server')) as readonly { id: number; uuid: string }[]
    return listed.find((server) => server.uuid === uuid)!.id
  }
  const ids = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const uuid = uuidOf(index)
    if (name === neverSeen) await enrol(port, uuid)
    else {
      const isSilent = silent.includes(name)
      const agent = await startSimulatedAgent({
        port,
        secret,
        uuid,
        address: addressOf(index),
        host: { ...host, arch: index % 4 === 0 ? 'arm64' : 'x86_64', version: index % 6 === 1 ? '2.2.9' : '2.3.3' },
        ...(!isSilent && { onCommand: () => outcomeOf(name) }),
      })
      agents.set(name, agent)
    }
    ids.set(name, await serverId(uuid))
    await browser.api('PATCH', `server/${ids.get(name)}`, {
      ...plainServer,
      name,
      hide_for_guest: name.startsWith('lab'),
    })
  }
  agents.get(offline)!.vanish()
  agents.delete(offline)
  const started = Date.now()
  const samplers = new Map(names.map((name, index) => [name, createSampler(name, index)]))
  const report = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    for (const [name, agent] of agents) agent.report(samplers.get(name)!(seconds))
  }
  report()
  const timer = setInterval(report, reportEveryMs)

  for (const name of groups) {
    const servers = names.filter((server) => server.startsWith(name)).map((server) => ids.get(server)!)
    await browser.api('POST', 'server-group', { name, servers })
  }
  const run = await makeTasks(browser, ids)
  return {
    run,
    server: ids.get('db-eu-2')!,
    shell: ids.get('web-3')!,
    giveShell: () => answerShell(agents.get('web-3')!),
    close() {
      clearInterval(timer)
      for (const agent of agents.values()) agent.vanish()
    },
  }
}

/** A server whose agent told its machine once and never a figure. */
async function enrol(port: number, uuid: string): Promise<void> {
  const peer = await connectPeer({ port })
  const call = peer.open('ReportSystemInfo2', credentials(secret, uuid))
  call.send(Host.encode(Host.fromPartial({ version: '' })).finish())
  call.halfClose()
  await call.take((event) => event.event === 'message' || event.event === 'trailers')
  peer.destroy()
}

async function makeTasks(browser: ReturnType<typeof createBrowser>, ids: ReadonlyMap<string, number>): Promise<number> {
  const make = (name: string, scheduler: string, command: string, cover: number, servers: readonly string[]) =>
    browser.api('POST', 'cron', {
      name,
      command,
      scheduler,
      cover,
      task_type: scheduler === '' ? 1 : 0,
      servers: servers.map((server) => ids.get(server)!),
      push_successful: false,
      notification_group_id: 0,
    })
  await make('cert-renew', '0 12 4 * * *', 'certbot renew --quiet', 0, ['edge-fra-1', 'edge-fra-2', 'edge-nrt-1'])
  await make('db-vacuum', '0 30 2 * * 0', 'vacuumdb --all --analyze', 0, ['db-ap-1', 'db-eu-1', 'db-eu-2', 'db-us-1'])
  await make('disk-report', '0 0 6 * * 1', 'df -h --output=target,pcent', 1, ['lab-1', 'lab-2', 'lab-3'])
  const backup = await make(
    'nightly-backup',
    '0 0 3 * * *',
    "pg_dumpall --clean | zstd -q -o /srv/backup/$(date +%F).sql.zst\nfind /srv/backup -name '*.zst' -mtime +14 -delete",
    1,
    ['cache-1', 'cache-2', 'mail-1'],
  )
  await make('queue-drain', '', 'queuectl drain --wait', 0, ['queue-1', 'queue-2'])
  await make('restart-workers', '', 'systemctl restart workers', 2, [])
  const rotate = await make('rotate-logs', '@every 6h', 'logrotate -f /etc/logrotate.conf', 1, [])
  await make('sync-time', '0 */15 * * * *', 'chronyc makestep', 1, [])
  await browser.api('POST', `cron/${rotate}/manual`)
  await browser.api('POST', `cron/${backup}/manual`)
  const { value } = (await browser.api('GET', 'run')) as { value: readonly { id: number; cron_id: number }[] }
  return value.find(({ cron_id }) => cron_id === backup)!.id
}
