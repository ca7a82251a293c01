import { type Product, password, secret } from '../bench/product.ts'
import { createBrowser } from '../support/browser.ts'
import { startReceiver } from '../support/peers/receiver.ts'
import { type CommandOutcome, type SimulatedAgent, startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createSampler, gigabyte, names, uuidOf } from './machines.ts'
import { probeOutcome } from './monitors.ts'
import { answerShell } from './shell.ts'
import { startStore } from './store.ts'
import { createWatching, type Watching } from './watching.ts'

/** Servers, groups, tasks, runs and what watches them, as the pictures show it. */
export interface Fleet extends Watching {
  /** Id of a run with every state there can be. */
  readonly run: number
  /** Id of a server that is short of something. */
  readonly server: number
  /** Id of a server that gives a shell when it is asked by `giveShell`. */
  readonly shell: number
  /** Answers the next request for that shell. */
  giveShell(): Promise<void>
  /** A server with a real agent, there from the first call on, and the folder to show. */
  files(): Promise<{ name: string; folder: string }>
  close(): Promise<void>
}

const offline = 'edge-nrt-1'
const neverSeen = 'edge-sjc-2'
const silent = ['web-3', 'web-5']
const groups = ['cache', 'db', 'edge', 'mail', 'queue', 'web']
/** What the firewall holds: an address, for how many seconds, and why. */
const blocked = [
  ['203.0.113.9', 86_400, 'guessed passwords'],
  ['198.51.100.0/24', 0, 'scans every night'],
  ['2001:db8::7', 604_800, ''],
] as const
const reportEveryMs = 2000

const addressOf = (index: number) => `${['192.0.2', '198.51.100', '203.0.113'][index % 3]}.${11 + index}`

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
  const samplers = new Map(names.map((name, index) => [name, createSampler(name, index)]))
  for (const [index, name] of names.entries()) {
    const uuid = uuidOf(index)
    if (name !== neverSeen) {
      const isSilent = silent.includes(name)
      const agent = await startSimulatedAgent({
        port,
        secret,
        uuid,
        address: addressOf(index),
        first: samplers.get(name)!(0, true),
        host: { ...host, arch: index % 4 === 0 ? 'arm64' : 'x86_64', version: index % 6 === 1 ? '2.2.9' : '2.3.3' },
        ...(!isSilent && { onCommand: () => outcomeOf(name), onTask: ({ data }) => probeOutcome(data, index) }),
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
  let isTight = true
  const report = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    for (const [name, agent] of agents) agent.report(samplers.get(name)!(seconds, isTight))
  }
  report()
  const timer = setInterval(report, reportEveryMs)

  for (const name of groups) {
    const servers = names.filter((server) => server.startsWith(name)).map((server) => ids.get(server)!)
    await browser.api('POST', 'server-group', { name, servers })
  }
  const run = await makeTasks(browser, ids)
  for (const [address, duration, note] of blocked) await browser.api('POST', 'waf/block', { address, duration, note })
  const receiver = await startReceiver()
  const relieve = () => {
    isTight = false
  }
  await makeTargets(browser, ids)
  let store: (ReturnType<typeof startStore> & { name: string }) | null = null
  return {
    ...(await createWatching(browser, { receiver, ids, silent, relieve })),
    run,
    server: ids.get('db-eu-2')!,
    shell: ids.get('web-3')!,
    giveShell: () => answerShell(agents.get('web-3')!),
    async files() {
      if (store) return store
      store = { ...startStore(port), name: 'store-1' }
      let id: number | undefined
      while (id === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 200))
        id = await serverId(store.uuid).catch(() => undefined)
      }
      await browser.api('PATCH', `server/${id}`, { ...plainServer, name: store.name })
      return store
    },
    async close() {
      clearInterval(timer)
      await store?.stop()
      for (const agent of agents.values()) agent.vanish()
      await receiver.close()
    },
  }
}

/** Names that follow servers, and ways into networks behind them. */
async function makeTargets(browser: ReturnType<typeof createBrowser>, ids: ReadonlyMap<string, number>): Promise<void> {
  const profile = {
    enable_ipv4: true,
    enable_ipv6: false,
    max_retries: 3,
    access_id: '',
    access_secret: 'kept',
    webhook_url: '',
    webhook_method: 1,
    webhook_request_type: 1,
    webhook_headers: '',
    webhook_request_body: '',
  }
  for (const [name, domains] of [
    ['edge', ['edge.example.net', 'www.example.net']],
    ['mail', ['mx1.example.net']],
    ['lab', ['lab.example.net']],
  ] as const)
    await browser.api('POST', 'ddns', { ...profile, name, domains, provider: 'dummy' })
  for (const [name, server, host, domain] of [
    ['grafana', 'db-eu-1', '127.0.0.1:3000', 'grafana.example.net'],
    ['mail-admin', 'mail-1', '10.0.0.4:8443', 'mail-admin.example.net'],
    ['queue-ui', 'queue-1', '127.0.0.1:15672', 'queue.example.net'],
  ] as const)
    await browser.api('POST', 'nat', { name, enabled: name !== 'mail-admin', server_id: ids.get(server), host, domain })
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
