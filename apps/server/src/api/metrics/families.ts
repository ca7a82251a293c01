import { type HostMetric, hostMetricNames, type Viewer } from '@qd/core/define'
import { onlineWithinMs, ServiceStatus, service } from '@qd/core/resources'
import { type Host, type HostState, isMeasured } from '@qd/core/schemas'
import type { UnmeasuredMetric } from '@qd/protocol/unmeasured'
import type { Base } from '../../base.ts'
import { version } from '../../kernel/version.ts'
import { owns, ownsServer, tokenCovers } from '../../store/records/rights.ts'
import type { ServerRow, ServiceRow } from '../../store/records/rows.ts'
import type { Engines } from '../container.ts'

export type FamilyParts = Pick<Base, 'servers' | 'serverGroups' | 'services' | 'accounts' | 'clock'> &
  Pick<Engines, 'live' | 'monitors' | 'incidents' | 'watchedHosts'>

type Figure = (state: HostState, host: Host) => number | null | undefined

/** Zeros are absent in a sample. */
const ofSamples: readonly (Omit<Family, 'samples'> & { of: Figure })[] = [
  gauge('cpu_usage_ratio', 'CPU usage, 0 to 1.', 'cpu', ({ cpu = 0 }) => cpu / 100),
  gauge('memory_used_bytes', 'Memory in use.', 'memory', ({ mem_used = 0 }) => mem_used),
  gauge('memory_total_bytes', 'Total memory.', null, (_, { mem_total }) => mem_total),
  gauge('swap_used_bytes', 'Swap space in use.', 'swap', ({ swap_used = 0 }) => swap_used),
  gauge('swap_total_bytes', 'Total swap space.', null, (_, { swap_total = 0 }) => swap_total),
  gauge('disk_used_bytes', 'Disk space in use.', 'disk', ({ disk_used = 0 }) => disk_used),
  gauge('disk_total_bytes', 'Total disk space.', null, (_, { disk_total }) => disk_total),
  counter(
    'network_receive_bytes_total',
    'Bytes received since boot.',
    'network',
    ({ net_in_transfer = 0 }) => net_in_transfer,
  ),
  counter(
    'network_transmit_bytes_total',
    'Bytes sent since boot.',
    'network',
    ({ net_out_transfer = 0 }) => net_out_transfer,
  ),
  gauge('network_receive_bytes_per_second', 'Receive rate.', 'network', ({ net_in_speed = 0 }) => net_in_speed),
  gauge('network_transmit_bytes_per_second', 'Transmit rate.', 'network', ({ net_out_speed = 0 }) => net_out_speed),
  gauge('load1', '1-minute load average.', 'load', ({ load_1 = 0 }) => load_1),
  gauge('load5', '5-minute load average.', 'load', ({ load_5 = 0 }) => load_5),
  gauge('load15', '15-minute load average.', 'load', ({ load_15 = 0 }) => load_15),
  gauge('tcp_connections', 'Open TCP connections.', 'connections', ({ tcp_conn_count = 0 }) => tcp_conn_count),
  gauge('udp_connections', 'Open UDP sockets.', 'connections', ({ udp_conn_count = 0 }) => udp_conn_count),
  gauge('processes', 'Running processes.', 'processes', ({ process_count = 0 }) => process_count),
  gauge('uptime_seconds', 'Time since boot.', 'uptime', ({ uptime = 0 }) => uptime),
]

function measured(part: UnmeasuredMetric | null, of: Figure): Figure {
  return (state, host) => (part === null || isMeasured(host, part) ? of(state, host) : null)
}
function gauge(name: string, help: string, part: UnmeasuredMetric | null, of: Figure) {
  return { name: `quarterdeck_server_${name}`, help, type: 'gauge', of: measured(part, of) } as const
}
function counter(name: string, help: string, part: UnmeasuredMetric | null, of: Figure) {
  return { name: `quarterdeck_server_${name}`, help, type: 'counter', of: measured(part, of) } as const
}

/** A changed row is another object. */
const known = new WeakMap<object, string>()
function labelsOf(row: { id: number; name: string }): string {
  const labels = known.get(row) ?? labelText({ id: row.id, name: row.name })
  known.set(row, labels)
  return labels
}

/** Null viewer: a local scraper, which sees everything. `hosts`: with metrics of what runs on hosts. */
export function* families(parts: FamilyParts, viewer: Viewer | null, hosts: boolean): Generator<Family> {
  const servers = parts.servers.all().filter((row) => viewer === null || ownsServer(viewer, row))
  yield* serverFamilies(parts, servers)
  if (hosts) yield* hostFamilies(parts, servers)
  const mine = (row: ServiceRow) =>
    viewer === null ||
    (owns(viewer, row) && tokenCovers(viewer, { selection: service.targets!({ ...row }), owner: row.owner_id }, parts))
  yield* serviceFamilies(parts, parts.services.all().filter(mine))
  const ids = new Set(servers.map(({ id }) => id))
  const incidents = parts.incidents
    .all()
    .filter((row) => viewer === null || (owns(viewer, row) && ids.has(row.server_id)))
  const only = (value: number) => [['', value]] as const
  yield gaugeOf('quarterdeck_incidents_open', 'Open incidents.', only(incidents.length))
  yield counterOf(
    'quarterdeck_dropped_figures_total',
    'Invalid metrics reported by agents.',
    only(parts.live.dropped()),
  )
  const { cpu, rss, startedAt } = ownFigures()
  yield gaugeOf('quarterdeck_build_info', 'Version of the server.', [[labelText({ version }), 1]])
  yield counterOf('process_cpu_seconds_total', 'CPU time used.', only(cpu))
  yield gaugeOf('process_resident_memory_bytes', 'Memory in use.', only(rss))
  yield gaugeOf('process_start_time_seconds', 'Start of the process, unix seconds.', only(startedAt))
}

type Samples = Family['samples']
const gaugeOf = (name: string, help: string, samples: Samples): Family => ({ name, help, type: 'gauge', samples })
const counterOf = (name: string, help: string, samples: Samples): Family => ({ name, help, type: 'counter', samples })

function ownFigures() {
  const { user, system } = process.cpuUsage()
  const startedAt = Math.round(Date.now() / 1000 - process.uptime())
  return { cpu: (user + system) / 1e6, rss: process.memoryUsage.rss(), startedAt }
}

function isUp({ live, clock }: FamilyParts, { id }: ServerRow): boolean {
  const at = live.lastActive(id)
  return at !== null && Math.abs(clock.now() - at) <= onlineWithinMs
}

function* serverFamilies(parts: FamilyParts, servers: readonly ServerRow[]): Generator<Family> {
  const { live, serverGroups } = parts
  const up = servers
    .filter((row) => isUp(parts, row))
    .map((row) => {
      return { labels: labelsOf(row), state: live.sampleOf(row.id), host: live.hostOf(row.id) }
    })
  const name = (text: string) => `quarterdeck_server_${text}`
  yield gaugeOf(
    name('up'),
    'Whether the server reports: 1 or 0.',
    servers.map((row) => [labelsOf(row), Number(isUp(parts, row))] as const),
  )
  yield gaugeOf(
    name('last_seen_timestamp_seconds'),
    'Last report, unix seconds.',
    servers.map((row) => [labelsOf(row), seconds(live.lastSeen(row.id))] as const),
  )
  const groups = new Map<number, string[]>()
  for (const group of serverGroups.all())
    for (const id of group.servers) groups.set(id, [...(groups.get(id) ?? []), group.name])
  yield gaugeOf(
    name('info'),
    'Facts about the server, and its groups.',
    servers.map(({ id, name }) => {
      const { platform = '', version = '' } = live.hostOf(id)
      return [labelText({ id, name, groups: (groups.get(id) ?? []).join(','), platform, version }), 1] as const
    }),
  )
  for (const { of, ...family } of ofSamples)
    yield { ...family, samples: up.map(({ labels, state, host }) => [labels, of(state, host)] as const) }
  yield gaugeOf(
    name('gpu_usage_ratio'),
    'GPU usage by card, 0 to 1.',
    up.flatMap(({ labels, state: { gpu = [] } }) =>
      gpu.map((value, index) => [withLabel(labels, 'card', String(index)), value / 100] as const),
    ),
  )
  yield gaugeOf(
    name('temperature_celsius'),
    'Temperature by sensor.',
    up.flatMap(({ labels, state: { temperatures = [] } }) =>
      temperatures.map(({ Name, Temperature }, index) => {
        return [withLabel(labels, 'sensor', `${index} ${Name}`), Temperature] as const
      }),
    ),
  )
}

const ofHosts: Readonly<Record<HostMetric, readonly [name: string, help: string, perUnit?: number]>> = {
  units_failed: ['units_failed', 'Failed units.'],
  containers_unhealthy: ['containers_unhealthy', 'Unhealthy containers.'],
  fs_used_max: ['filesystem_used_max_ratio', 'Use of the fullest filesystem, 0 to 1.', 100],
  fs_inodes_max: ['filesystem_inodes_max_ratio', 'Highest use of inodes of a filesystem, 0 to 1.', 100],
  fs_full_in: [
    'filesystem_full_in_seconds',
    'Time until a filesystem is full by its growth; a year if none is filling up.',
  ],
  updates: ['updates_pending', 'Pending package updates.'],
  updates_security: ['updates_security_pending', 'Pending security updates.'],
  reboot_required: ['reboot_required', 'Whether updates need a reboot: 1 or 0.'],
}

function* hostFamilies(parts: FamilyParts, servers: readonly ServerRow[]): Generator<Family> {
  const up = servers.filter((row) => isUp(parts, row))
  const known = up.map((row) => ({ labels: labelsOf(row), values: parts.watchedHosts.of(row.id) }))
  for (const metric of hostMetricNames) {
    const [name, help, perUnit = 1] = ofHosts[metric]
    const samples = known.map(({ labels, values: { [metric]: value } }) => {
      return [labels, typeof value === 'number' ? value / perUnit : null] as const
    })
    yield gaugeOf(`quarterdeck_server_${name}`, help, samples)
  }
}

function* serviceFamilies({ monitors }: FamilyParts, rows: readonly ServiceRow[]): Generator<Family> {
  const services = rows.map((row) => ({ labels: labelsOf(row), figures: monitors.figuresOf(row) }))
  const up: Readonly<Record<number, number>> = {
    [ServiceStatus.good]: 1,
    [ServiceStatus.low]: 1,
    [ServiceStatus.down]: 0,
  }
  const name = (text: string) => `quarterdeck_service_${text}`
  yield gaugeOf(
    name('up'),
    'Whether the service is up: 1 or 0.',
    services.map(({ labels, figures }) => [labels, up[figures.status]] as const),
  )
  yield gaugeOf(
    name('delay_seconds'),
    'Mean latency of recent checks.',
    services.map(({ labels, figures: { delay } }) => [labels, delay === null ? null : delay / 1000] as const),
  )
  yield gaugeOf(
    name('up_ratio'),
    'Share of checks that succeeded in 30 days, 0 to 1.',
    services.map(({ labels, figures }) => {
      return [labels, figures.up_percent === null ? null : figures.up_percent / 100] as const
    }),
  )
}

const seconds = (at: number | null) => (at === null ? null : at / 1000)
const withLabel = (labels: string, name: string, value: string) =>
  `${labels.slice(0, -1)},${labelText({ [name]: value }).slice(1)}`

/** Unknown values are left out, never zero. */
export interface Family {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'summary'
  samples: Iterable<readonly [labels: string, value: number | null | undefined]>
}

/** Prometheus text format 0.0.4. */
export function labelText(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return `{${pairs.join(',')}}`
}

const escaped = (text: string) => text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')

export function familyText({ name, help, type, samples }: Family): string {
  let lines = ''
  for (const [labels, value] of samples) {
    if (value !== null && value !== undefined && Number.isFinite(value)) lines += `${name}${labels} ${value}\n`
  }
  return lines === '' ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`
}
