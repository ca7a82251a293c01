import * as z from 'zod'
import {
  defineResource,
  type HostMetric,
  hostMetricNames,
  hostMetrics,
  idKey,
  lazy,
  mapOf,
  maxItems,
  namedOptions,
  type StateText,
  type View,
} from '../define/index.ts'
import {
  common,
  commonKinds,
  domain,
  geoip,
  host,
  hostState,
  id,
  instant,
  isReported,
  longestNote,
  maxDomains,
  owner,
  ownerKind,
  watchedMetrics,
} from '../schemas/index.ts'
import { fullInLimits, notFillingS } from './growth.ts'
import { onlineUntil } from './online.ts'
import { editPublicNote } from './public-note.ts'
import { serverActions } from './server-actions.ts'
import { cpuName, diskNote, fullestText, longerLoads, usedOf } from './server-figures.ts'
import { figureLimits, figures, isPressed, reported, worstOf } from './server-sample.ts'

export const ServerStatus = namedOptions('online', 'warning', 'offline', 'never')
export type ServerStatus = (typeof ServerStatus)[keyof typeof ServerStatus]

const input = lazy(() =>
  z.strictObject({
    name: z.string().min(1).max(128),
    display_index: z.int(),
    note: z.string().max(longestNote),
    public_note: z.string().max(longestNote),
    hide_for_guest: z.boolean(),
    enable_ddns: z.boolean(),
    ddns_profiles: z.array(id).max(maxItems),
    override_ddns_domains: mapOf(idKey, z.array(domain).max(maxDomains), maxItems),
  }),
)

/** How long a metric has been at its bad limit; absent if the server doesn’t track that. */
const pressure = lazy(() =>
  z
    .object({ since: z.string().nullable().catch(null) })
    .nullable()
    .catch(null),
)

const added = lazy(() => ({
  ...common,
  uuid: z.string(),
  host: host(),
  state: hostState(),
  geoip: geoip(),
  last_active: instant.nullable(),
  last_seen_at: instant.nullable(),
  pressure: pressure(),
  own_secret: z.boolean(),
  enrolled_at: instant.nullable(),
  maintenance_until: instant.nullable(),
  watched: watchedMetrics(),
  owner,
}))

type Figures = Pick<
  z.output<z.ZodObject<ReturnType<typeof added>>>,
  'host' | 'state' | 'geoip' | 'last_active' | 'last_seen_at' | 'pressure' | 'watched'
>

interface Judged extends Omit<Figures, 'geoip'> {
  readonly onlineUntil: number
  readonly whileOnline: ServerStatus
  readonly afterwards: ServerStatus
}

const judgedRows = new WeakMap<Figures, Judged>()

/** Once per sample: lists ask for the status of each server several times per second. */
function judged(row: Figures): Judged {
  const { last_active, last_seen_at, host, state, pressure, watched } = row
  const before = judgedRows.get(row)
  if (
    before?.last_active === last_active &&
    before.state === state &&
    before.host === host &&
    before.pressure === pressure &&
    before.watched === watched &&
    before.last_seen_at === last_seen_at
  )
    return before
  const isWarning = pressure ? pressure.since !== null : isPressed(row)
  // No copy of another object: such a row would have a hidden class of its own (traps).
  const next = {
    last_active,
    last_seen_at,
    host,
    state,
    pressure,
    watched,
    onlineUntil: onlineUntil(row),
    whileOnline: isWarning || hostProblem(row) !== null ? ServerStatus.warning : ServerStatus.online,
    afterwards: wasSeen(row) ? ServerStatus.offline : ServerStatus.never,
  }
  judgedRows.set(row, next)
  return next
}

function statusOf(row: Figures, { now }: View): ServerStatus {
  const { onlineUntil, whileOnline, afterwards } = judged(row)
  return now <= onlineUntil ? whileOnline : afterwards
}

/** Nezha clears the times when an agent disconnects, but keeps its host. */
function wasSeen({ last_seen_at, last_active, host }: Figures): boolean {
  return last_seen_at !== null || last_active !== null || isReported(host)
}

const watchedCapability = 'host-metrics'

const watched =
  (metric: HostMetric) =>
  ({ watched }: Pick<Figures, 'watched'>): number | null => {
    const value = watched[metric]
    return typeof value === 'number' ? value : null
  }

const watchedField = { live: true, short: true, asked: true, requires: watchedCapability } as const
const watchedCount = { ...watchedField, kind: 'number', digits: 0 } as const
const watchedPercent = { ...watchedField, kind: 'percent', limits: { warn: 85, bad: 95 } } as const
const atOne = { warn: 1, bad: Number.POSITIVE_INFINITY } as const

/** The first host metric that says that something is wrong there. */
function hostProblem(row: Pick<Figures, 'watched'>): { metric: HostMetric; value: number } | null {
  for (const metric of hostMetricNames) {
    const { bad = Number.POSITIVE_INFINITY } = hostMetrics[metric] as { bad?: number }
    const value = watched(metric)(row)
    if (value !== null && value >= bad) return { metric, value }
  }
  return null
}

const hostStates = ['units_failed', 'containers_unhealthy', 'fs_used_max', 'fs_inodes_max'] as const

/** Failed units: 2 */
function hostCause(row: Pick<Figures, 'watched'>): StateText | null {
  const problem = hostProblem(row)
  if (!problem) return null
  const { metric, value } = problem
  if (metric === 'fs_used_max') return fullestText(row.watched)
  const kind = hostMetrics[metric].unit === 'percent' ? 'percent' : 'number'
  return { name: metric, params: { value: { kind, value } } }
}

const isMaintained = (until: string | null, now: number) => until !== null && now < Date.parse(until)

export const server = defineResource({
  name: 'server',
  icon: 'server',
  path: '/dashboard',
  go: 'g s',
  about: ({ id }) => ({ mode: 'only', servers: [id] }),
  input,
  added,
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always' },
    display_index: { kind: 'number', digits: 0, help: true, aliases: ['weight'] },
    note: { kind: 'note', wide: true, help: true },
    public_note: { kind: 'note', wide: true, help: true, plan: true },
    hide_for_guest: { kind: 'flag', aliases: ['hidden'] },
    enable_ddns: { kind: 'flag', aliases: ['ddns'] },
    ddns_profiles: { kind: 'refs', wide: true, to: 'ddns', flag: true },
    override_ddns_domains: { kind: 'id-map', wide: true, to: 'ddns', help: true },
    uuid: { kind: 'text' },
    host: { kind: 'part', schema: host },
    state: { kind: 'part', schema: hostState },
    geoip: { kind: 'part', schema: geoip },
    last_active: { kind: 'instant' },
    last_seen_at: { kind: 'instant', aliases: ['seen'] },
    pressure: { kind: 'part', schema: pressure },
    own_secret: { kind: 'flag', requires: 'enrollment' },
    enrolled_at: { kind: 'instant', requires: 'enrollment' },
    maintenance_until: { kind: 'instant', requires: 'maintenance' },
    watched: { kind: 'part', schema: watchedMetrics, requires: watchedCapability },
    owner: ownerKind,
  },
  derived: {
    status: {
      kind: 'choice',
      live: true,
      options: ServerStatus,
      tones: { online: 'ok', warning: 'warn', offline: 'bad', never: 'muted' },
      words: true,
      covers: { online: ['warning'] },
      from: statusOf,
    },
    groups: {
      kind: 'refs',
      to: 'server-group',
      aliases: ['group'],
      from: (row, view) => view.referring('server-group', 'servers', row.id),
    },
    address: {
      kind: 'address',
      show: 'wide',
      aliases: ['ip'],
      from: ({ geoip: { ip = {} } }) => [ip.ipv4_addr, ip.ipv6_addr].filter(Boolean).join('/'),
    },
    cpu: { kind: 'percent', show: 'always', live: true, limits: figureLimits, from: figures.cpu },
    cpu_trend: {
      kind: 'trend',
      show: 'wide',
      live: true,
      from: (row, view) => view.trend('server', row.id, 'cpu'),
      short: true,
    },
    memory: {
      kind: 'percent',
      show: 'always',
      live: true,
      limits: figureLimits,
      short: true,
      aliases: ['mem'],
      from: figures.memory,
    },
    swap: { kind: 'percent', show: 'detail', live: true, limits: figureLimits, from: figures.swap },
    disk: { kind: 'percent', show: 'always', live: true, limits: figureLimits, from: figures.disk },
    net_in: {
      kind: 'rate',
      live: true,
      aliases: ['in'],
      from: (row) => reported(row, 'network', row.state.net_in_speed),
    },
    net_out: {
      kind: 'rate',
      live: true,
      aliases: ['out'],
      from: (row) => reported(row, 'network', row.state.net_out_speed),
    },
    traffic_in: { kind: 'bytes', live: true, from: (row) => reported(row, 'network', row.state.net_in_transfer) },
    traffic_out: { kind: 'bytes', live: true, from: (row) => reported(row, 'network', row.state.net_out_transfer) },
    load: {
      kind: 'number',
      show: 'detail',
      live: true,
      digits: 2,
      from: (row) => reported(row, 'load', row.state.load_1),
    },
    uptime: { kind: 'duration', live: true, from: (row) => row.state.uptime ?? null },
    processes: {
      kind: 'number',
      live: true,
      digits: 0,
      from: (row) => reported(row, 'processes', row.state.process_count),
    },
    connections: {
      kind: 'number',
      live: true,
      digits: 0,
      from: (row) => reported(row, 'connections', (row.state.tcp_conn_count ?? 0) + (row.state.udp_conn_count ?? 0)),
    },
    platform: {
      kind: 'text',
      aliases: ['os'],
      from: ({ host }) => [host.platform, host.platform_version].filter(Boolean).join(' '),
    },
    is_windows: { kind: 'flag', hidden: true, from: ({ host }) => /windows/i.test(host.platform ?? '') },
    arch: { kind: 'text', from: ({ host }) => host.arch ?? '' },
    version: { kind: 'version', show: 'wide', aliases: ['agent'], from: ({ host }) => host.version ?? '' },
    country: { kind: 'text', from: ({ geoip }) => geoip.country_code ?? '' },
    maintenance: {
      kind: 'flag',
      requires: 'maintenance',
      from: ({ maintenance_until }, { now }) => isMaintained(maintenance_until, now),
    },
    watch_only: { kind: 'flag', show: 'detail', aliases: ['watching'], from: ({ host }) => host.watch_only ?? false },
    silent_disks: { kind: 'list', from: ({ host }) => host.silent_disks ?? [] },
    units_failed: { ...watchedCount, limits: atOne, aliases: ['failed_units'], from: watched('units_failed') },
    containers_unhealthy: { ...watchedCount, limits: atOne, from: watched('containers_unhealthy') },
    fs_used_max: { ...watchedPercent, aliases: ['fullest'], from: watched('fs_used_max') },
    fs_inodes_max: { ...watchedPercent, aliases: ['inodes'], from: watched('fs_inodes_max') },
    fs_full_in: {
      ...watchedField,
      kind: 'duration',
      limits: fullInLimits,
      aliases: ['full_in'],
      absentWhen: { fs_full_in: { is: notFillingS } },
      from: watched('fs_full_in'),
    },
    updates: { ...watchedCount, from: watched('updates') },
    updates_security: {
      ...watchedCount,
      limits: atOne,
      aliases: ['security_updates'],
      from: watched('updates_security'),
    },
    reboot_required: {
      ...watchedField,
      kind: 'flag',
      aliases: ['reboot'],
      from(row) {
        const value = watched('reboot_required')(row)
        return value === null ? null : value > 0
      },
    },
  },
  columns: [
    'name',
    'groups',
    'address',
    'cpu',
    'cpu_trend',
    'memory',
    'disk',
    'net_in',
    'net_out',
    'uptime',
    'version',
    'watch_only',
    'swap',
    'load',
  ],
  sort: { field: 'status', order: 'desc', ties: 'display_index' },
  search: ['address', 'uuid', 'groups', 'note', 'version', 'platform'],
  facet: 'status',
  counted: 'maintenance',
  form: {
    what: ['name', 'display_index'],
    notes: ['note', 'public_note'],
    visitors: ['hide_for_guest'],
    ddns: [
      'enable_ddns',
      { field: 'ddns_profiles', when: { enable_ddns: { is: true } } },
      { field: 'override_ddns_domains', when: { enable_ddns: { is: true } } },
    ],
  },
  scopes: { read: 'nezha:inventory:read', write: 'nezha:server:write', remove: 'nezha:inventory:delete' },
  identity: 'uuid',
  wire: { verbs: ['list', 'edit', 'delete'] },
  open: 'detail',
  detail: {
    tags: ['groups'],
    sections: [
      {
        kind: 'facts',
        fields: [
          'silent_disks',
          'address',
          'uptime',
          'platform',
          'version',
          'arch',
          'country',
          'last_active',
          'hide_for_guest',
          'own_secret',
          'enrolled_at',
          'watch_only',
          'traffic_in',
          'traffic_out',
          'processes',
          'connections',
        ],
      },
      {
        kind: 'figures',
        figures: [
          { field: 'cpu', max: 100, note: cpuName },
          { field: 'memory', max: 100, note: usedOf('mem_used', 'mem_total') },
          { field: 'disk', max: 100, note: diskNote },
          { field: 'net_in', second: 'net_out', label: 'ui.panel.network' },
          { field: 'load', note: longerLoads },
          { field: 'swap', max: 100, note: usedOf('swap_used', 'swap_total') },
        ],
      },
      { kind: 'checks', path: 'server/{id}/service' },
      { kind: 'related', of: 'incident', by: 'server_id', fields: ['state', 'lasted', 'reading'] },
      { kind: 'hosted', requires: 'hosts' },
      { kind: 'events', path: 'server/{id}/event', requires: 'history' },
      { kind: 'related', of: 'cron', by: { targets: true }, fields: ['scheduler'] },
      { kind: 'text', field: 'note' },
      { kind: 'text', field: 'public_note' },
      { kind: 'rest' },
    ],
  },
  state: {
    field: 'status',
    states: [
      'cpu',
      'memory',
      'disk',
      'cpuFor',
      'memoryFor',
      'diskFor',
      ...hostStates,
      'offline',
      'mute',
      'never',
      'maintenance',
      'maintenanceUntil',
    ],
    cause(row, { now }) {
      if (row.status !== ServerStatus.warning) return null
      const worst = worstOf(row)
      const isPressing = row.pressure ? row.pressure.since !== null : isPressed(row)
      if (!worst || !isPressing) return hostCause(row)
      const { figure, value } = worst
      const params = { value: { kind: 'percent', value } } as const
      if (!row.pressure?.since) return { name: figure, params }
      const seconds = Math.max(0, Math.round((now - Date.parse(row.pressure.since)) / 1000))
      return { name: `${figure}For`, params: { ...params, time: { kind: 'duration', value: seconds } } }
    },
    planned: ({ maintenance_until }, { now }) =>
      isMaintained(maintenance_until, now)
        ? { name: 'maintenanceUntil', params: { until: { kind: 'instant', value: maintenance_until } } }
        : null,
    absence(row) {
      if (row.status === ServerStatus.never)
        return { name: 'never', params: { since: { kind: 'instant', value: row.created_at } } }
      if (row.status === ServerStatus.offline)
        // The server discards the last report when the stream ends, so an old report means an open stream.
        return {
          name: row.last_active === null ? 'offline' : 'mute',
          params: { since: { kind: 'instant', value: row.last_seen_at } },
        }
      return null
    },
  },
  actions: { ...serverActions, 'public-note': editPublicNote(() => Object.keys(input().shape)) },
  cli: { exec: 'exec', files: 'files ls', compare: 'server history' },
})
