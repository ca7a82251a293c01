import type { GeoIp, HostState } from '@qd/core/schemas'
import { noiseOf, wander } from './noise.ts'

/** Hours from UTC, and a block of documentation addresses. */
const places = {
  fra: { hours: 1, country: 'de', block: '192.0.2' },
  ams: { hours: 1, country: 'nl', block: '192.0.2' },
  nyc: { hours: -5, country: 'us', block: '198.51.100' },
  sjc: { hours: -8, country: 'us', block: '198.51.100' },
  gru: { hours: -3, country: 'br', block: '198.51.100' },
  sin: { hours: 8, country: 'sg', block: '203.0.113' },
  nrt: { hours: 9, country: 'jp', block: '203.0.113' },
  syd: { hours: 10, country: 'au', block: '203.0.113' },
} as const
type Place = keyof typeof places

/** `cpu` in percent at night and at the busiest hour; memory and disk in GiB. */
interface Kind {
  readonly count: Partial<Record<Place, number>>
  readonly cores: number
  readonly memory: number
  readonly disk: number
  readonly cpu: readonly [night: number, day: number]
  readonly used: readonly [memory: number, disk: number]
  /** At the busiest hour. */
  readonly network: number
  readonly inbound?: number
  readonly system?: readonly [platform: string, version: string]
  readonly isNightly?: boolean
}

const kind = (
  count: Kind['count'],
  [cores, memory, disk]: readonly [number, number, number],
  cpu: Kind['cpu'],
  used: Kind['used'],
  network: number,
  more: Pick<Kind, 'inbound' | 'system' | 'isNightly'> = {},
): Kind => ({ count, cores, memory, disk, cpu, used, network, ...more })

const kinds: Readonly<Record<string, Kind>> = {
  api: kind({ fra: 3, nyc: 2, sin: 2 }, [8, 16, 80], [9, 52], [0.52, 0.31], 9e6),
  backup: kind({ fra: 1, nyc: 1 }, [4, 8, 4000], [2, 4], [0.24, 0.62], 2e5, { inbound: 0.95, isNightly: true }),
  cache: kind({ fra: 2, nyc: 1, sin: 1 }, [4, 32, 40], [4, 21], [0.78, 0.22], 2.4e7),
  ci: kind({ fra: 3 }, [16, 64, 500], [3, 58], [0.34, 0.57], 6e6, { inbound: 0.8, system: ['ubuntu', '24.04'] }),
  db: kind({ fra: 3, nyc: 2, sin: 1 }, [16, 128, 2000], [12, 38], [0.71, 0.58], 1.6e7, { inbound: 0.35 }),
  edge: kind(
    { fra: 1, ams: 1, nyc: 1, sjc: 1, gru: 1, sin: 1, nrt: 1, syd: 1 },
    [4, 8, 60],
    [6, 34],
    [0.38, 0.27],
    4.8e7,
    { inbound: 0.48, system: ['alpine', '3.22.1'] },
  ),
  lab: kind({ fra: 3 }, [2, 4, 40], [1, 6], [0.41, 0.46], 4e4, { system: ['fedora', '42'] }),
  logs: kind({ fra: 1 }, [8, 32, 6000], [14, 46], [0.63, 0.71], 1.2e7, { inbound: 0.9 }),
  mail: kind({ fra: 2 }, [2, 4, 120], [4, 14], [0.57, 0.49], 6e5),
  metrics: kind({ fra: 1 }, [8, 32, 1000], [18, 27], [0.66, 0.54], 5e6, { inbound: 0.85 }),
  queue: kind({ fra: 2, nyc: 1 }, [4, 16, 200], [7, 33], [0.44, 0.36], 7e6),
  web: kind({ fra: 6, nyc: 4, sin: 4 }, [4, 8, 80], [7, 48], [0.46, 0.33], 1.4e7, { inbound: 0.2 }),
  worker: kind({ fra: 4, nyc: 2 }, [8, 16, 120], [22, 66], [0.49, 0.38], 3e6, {
    inbound: 0.6,
    system: ['ubuntu', '24.04'],
  }),
}

/** A busy database, a nearly full disk, and offline machines with ms before the start. */
export const busy = 'db-fra-1'
export const full = 'backup-nyc-1'
export const offlineFor: Readonly<Record<string, number>> = {
  'edge-gru-1': 137 * 60_000,
  'lab-fra-2': 12.4 * 86_400_000,
}

const fullNow = 0.934
const fullPerDay = 0.0105
/** The alert rule's percentage, and when the full disk exceeded it. */
export const diskLimit = 93
export const overLimitFor = ((fullNow - diskLimit / 100) / fullPerDay) * 86_400_000

const GiB = 2 ** 30
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Known<T> = { readonly [F in keyof T]-?: Exclude<T[F], undefined> }
export type Sample = Known<Omit<HostState, 'gpu'>>

/** The ID is the position, from 1. */
export type Machine = ReturnType<typeof createMachine>

export function createMachines(start: number): readonly Machine[] {
  const named = Object.entries(kinds).flatMap(([kind, { count }]) =>
    Object.entries(count).flatMap(([place, number]) =>
      Array.from({ length: number }, (_, index) => ({
        name: `${kind}-${place}-${index + 1}`,
        kind,
        place: place as Place,
      })),
    ),
  )
  return named.map((one, index) => createMachine(one, index + 1, start))
}

function createMachine({ name, kind, place }: { name: string; kind: string; place: Place }, id: number, start: number) {
  const { cores, memory, disk, system = ['debian', '12.11'] } = kinds[kind]!
  const upFor = (2 + noiseOf(id, 1) * 160) * day
  const host = {
    platform: system[0]!,
    platform_version: system[1]!,
    arch: kind === 'edge' ? 'aarch64' : 'x86_64',
    virtualization: kind === 'db' ? '' : 'kvm',
    cpu: [`Simulated Processor ${cores} ${kind === 'db' ? 'Physical' : 'Virtual'} Core`],
    gpu: [],
    mem_total: memory * GiB,
    swap_total: (kind === 'cache' ? 2 : Math.min(8, memory / 4)) * GiB,
    disk_total: disk * GiB,
    boot_time: Math.round((start - upFor) / 1000),
    version: id % 7 === 2 ? '2.2.9' : '2.3.3',
  }
  const since = offlineFor[name]
  return {
    id,
    name,
    kind,
    uuid: `de000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    host,
    address: `${places[place].block}.${id + 9}`,
    country: places[place].country,
    offlineSince: since === undefined ? null : start - since,
    sampleAt: createSampler({ id, name, kind, hours: places[place].hours, start, bootAt: host.boot_time * 1000 }),
  }
}

/** Days: older disks were emptier. */
const month = 30

function createSampler({
  id,
  name,
  kind: word,
  hours,
  start,
  bootAt,
}: {
  id: number
  name: string
  kind: string
  hours: number
  start: number
  bootAt: number
}): (at: number) => Sample {
  const kind = kinds[word]!
  const { cores, cpu, used, network, inbound = 0.5 } = kind
  const size = { memory: kind.memory * GiB, disk: kind.disk * GiB }
  const own = 0.85 + 0.3 * noiseOf(id, 2)
  const isBusy = name === busy
  const isDump = word === 'db' || kind.isNightly === true
  const diskNow = name === full ? fullNow : Math.min(0.82, used[1] + 0.16 * (noiseOf(id, 3) - 0.5))
  const growth = name === full ? fullPerDay : 0.0009 * noiseOf(id, 4)
  return (at) => {
    const local = at + hours * hour
    const ofDay = (local % day) / hour
    const weekday = (Math.floor(local / day) + 4) % 7
    const isWeekend = weekday === 0 || weekday === 6
    // Lowest at four in the morning, highest in the afternoon.
    const sun = 0.5 - 0.5 * Math.cos(((ofDay - 4) / 24) * 2 * Math.PI)
    const rush = sun * (isWeekend ? 0.6 : 1) * own
    // Nightly dumps of databases to the backup servers.
    const dump =
      isDump && ofDay >= 2 && ofDay < 3.4 + 0.5 * noiseOf(id, 5) ? 0.8 + 0.2 * wander(id * 31 + 1, at, minute) : 0
    const slow = wander(id * 31 + 2, at, 50 * minute) - 0.5
    const quick = wander(id * 31 + 3, at, 40_000) - 0.5
    const jobs = word === 'ci' && rush > 0.25 ? Math.round(wander(id * 31 + 4, at, 9 * minute)) : 1
    const base = isBusy ? 58 + 30 * sun : cpu[0] + (cpu[1] - cpu[0]) * rush * jobs
    const spent = Math.min(93, Math.max(0.4, base * (1 + 0.35 * slow + 0.3 * quick) + 28 * dump))
    const speed = network * (0.12 + 0.88 * rush) * (1 + 0.5 * slow + 0.6 * quick) + (dump > 0 ? 7e7 * dump : 0)
    const load = (spent / 100) * cores * (isBusy ? 1.25 : 0.9)
    const memory = Math.min(0.94, used[0] + 0.05 * slow + 0.06 * rush * (word === 'cache' ? 0.3 : 1) + 0.01 * quick)
    const age = Math.max(-month, Math.min(month, (start - at) / day))
    // Logs are rotated at midnight.
    const logs = name === full ? 0 : (ofDay / 24) * 0.004
    const diskPart = Math.min(name === full ? 0.957 : 0.9, Math.max(0.05, diskNow - growth * age + logs))
    const up = at >= bootAt ? at - bootAt : (at + 97 * day - bootAt) % (97 * day)
    const moved = (network * 0.55 * up) / 1000
    return {
      cpu: spent,
      mem_used: Math.round(size.memory * memory),
      swap_used: Math.round((30 + 60 * noiseOf(id, 6) + 20 * slow) * 2 ** 20),
      disk_used: Math.round(size.disk * diskPart),
      net_in_speed: Math.round(speed * inbound),
      net_out_speed: Math.round(speed * (1 - inbound)),
      net_in_transfer: Math.round(moved * inbound),
      net_out_transfer: Math.round(moved * (1 - inbound)),
      uptime: Math.round(up / 1000),
      load_1: load * (1 + 0.3 * quick),
      load_5: load,
      load_15: load * (1 - 0.15 * slow),
      tcp_conn_count: Math.round(24 + network / 90_000 + rush * (network / 40_000) * (1 + 0.3 * quick)),
      udp_conn_count: 6 + (id % 9),
      process_count: Math.round(110 + cores * 9 + 14 * quick + 30 * rush),
      temperatures:
        word === 'db' ? [{ Name: 'coretemp_package_id_0', Temperature: Math.round(38 + spent * 0.36) }] : [],
    }
  }
}

export const geoOf = ({ address, country }: Pick<Machine, 'address' | 'country'>): GeoIp => ({
  ip: { ipv4_addr: address },
  country_code: country,
})
