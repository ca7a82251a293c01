import { Host, State } from '@qd/protocol/agent'
import type { Unmeasured, UnmeasuredMetric } from '@qd/protocol/unmeasured'
import type { AgentConfig } from '../config/agent-config.ts'
import { parseUptime, readActivity } from './figures/activity.ts'
import { type CpuTicks, parseCpuModels, parseCpuTicks, toCpuPercent } from './figures/cpu.ts'
import { type Disks, readDisks } from './figures/disks.ts'
import { type Memory, parseMemory } from './figures/memory.ts'
import { createTrafficReader, type Traffic, toRatePerSec } from './figures/network.ts'
import { toWire } from './figures/numbers.ts'
import { readPlatform, readVirtualization } from './figures/platform.ts'
import { createTemperatureReader } from './figures/temperatures.ts'
import type { Machine } from './machine.ts'
import { withTimeout } from './waiting.ts'

export interface LatestTiming {
  periodMs: number
  timeoutMs: number
}

/** The newest value of a slow read. Never concurrent: a hanging read holds one place, not one per report. Another `subject` is read at once. */
const createLatest = <T>(
  machine: Pick<Machine, 'now' | 'sleep'>,
  { periodMs, timeoutMs }: LatestTiming,
  read: () => Promise<T>,
): ((subject?: unknown) => Promise<T | undefined>) => {
  let value: T | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let readOf: unknown
  let reading: Promise<void> | undefined
  return async (subject) => {
    if (!reading && (machine.now() - readAt >= periodMs || subject !== readOf)) {
      readAt = machine.now()
      readOf = subject
      reading = read()
        .then(
          (found) => {
            value = found
          },
          () => undefined,
        )
        .finally(() => {
          reading = undefined
        })
    }
    if (reading) await withTimeout(machine, timeoutMs, reading)
    return value
  }
}

export type Reporter = ReturnType<typeof createReporter>

/** Disks and sensors change slowly and may be slow. */
const slow = { periodMs: 10_000, timeoutMs: 2_500 }

/** Totals differ by more than this: a ZFS pool changes with each snapshot. */
const jitter = 0.01

/** `bytes`: 0 if unknown. `without`: silent disks. */
interface Totals {
  bytes: readonly [memory: number, swap: number, disks: number]
  without: string
}

const totalsOf = ({ memory, swap }: Memory, disks: Disks | undefined): Totals => ({
  bytes: [memory?.totalBytes ?? 0, swap?.totalBytes ?? 0, disks?.totalBytes ?? 0],
  without: String(disks?.silent),
})

const areAlike = (one: Totals, other: Totals): boolean =>
  one.without === other.without &&
  one.bytes.every((total, at) => Math.abs(total - other.bytes[at]!) <= jitter * other.bytes[at]!)

/** Some containers know only their uptime. */
const bootTimeOf = (stat: string, uptimeSec: number | undefined, nowMs: number): number | undefined => {
  const told = /^btime (\d+)$/m.exec(stat)?.[1]
  if (told) return Number(told)
  return uptimeSec === undefined ? undefined : nowMs / 1000 - uptimeSec
}

export const createReporter = (machine: Machine, version: string, config: () => AgentConfig) => {
  const readTraffic = createTrafficReader(machine)
  // The first percentage is since boot: milliseconds after the start would measure the start itself.
  let ticks: CpuTicks = { busy: 0, total: 0 }
  let percent: number | undefined
  let traffic: (Traffic & { at: number; interfaces: object }) | undefined
  let told: Totals | undefined
  let newest: Totals | undefined
  let gaps: Unmeasured = { metrics: [], disks: [] }
  const latestDisks = createLatest(machine, slow, () => readDisks(machine, config().hard_drive_partition_allowlist))
  const disks = () => latestDisks(config().hard_drive_partition_allowlist)
  const temperatures = createLatest(machine, slow, createTemperatureReader(machine))

  const cpuPercent = async (): Promise<number | undefined> => {
    const after = parseCpuTicks(await machine.read('/proc/stat'))
    // Without elapsed time or after a counter reset, the last percentage stays.
    percent = after && (toCpuPercent(ticks, after) ?? percent)
    ticks = after ?? ticks
    return percent
  }
  const network = async () => {
    const interfaces = config().nic_allowlist
    // Counters of different interfaces can’t be compared.
    const before = traffic?.interfaces === interfaces ? traffic : undefined
    const read = await readTraffic(interfaces)
    const after = read && { ...read, at: machine.now(), interfaces }
    traffic = after
    const rate = (key: keyof Traffic) =>
      before && after ? toRatePerSec(before[key], after[key], after.at - before.at) : 0
    return after && { ...after, inRate: rate('inBytes'), outRate: rate('outBytes') }
  }

  return {
    async readHost(): Promise<Host> {
      const [platform, virtualization, meminfo, cpuinfo, board, stat, uptime, space] = await Promise.all([
        readPlatform(machine),
        readVirtualization(machine),
        machine.read('/proc/meminfo'),
        machine.read('/proc/cpuinfo'),
        machine.read('/sys/firmware/devicetree/base/model'),
        machine.read('/proc/stat'),
        machine.read('/proc/uptime'),
        disks(),
      ])
      told = totalsOf(parseMemory(meminfo), space)
      const [memoryTotal, swapTotal, diskTotal] = told.bytes
      return Host.create({
        platform: platform.name,
        platform_version: platform.version,
        cpu: parseCpuModels(cpuinfo, virtualization !== '', board),
        mem_total: toWire(memoryTotal),
        disk_total: toWire(diskTotal),
        swap_total: toWire(swapTotal),
        arch: machine.arch(),
        virtualization,
        boot_time: toWire(bootTimeOf(stat, parseUptime(uptime), machine.wallNow())),
        version,
      })
    },
    /** Rates since the previous call; first the mean CPU since boot and no network rate. */
    async readState(): Promise<State> {
      const [cpu, meminfo, space, net, activity, sensors] = await Promise.all([
        cpuPercent(),
        machine.read('/proc/meminfo'),
        disks(),
        network(),
        readActivity(machine, config()),
        config().temperature ? temperatures() : [],
      ])
      const memory = parseMemory(meminfo)
      newest = totalsOf(memory, space)
      const known: Readonly<Record<UnmeasuredMetric, unknown>> = {
        cpu,
        memory: memory.memory,
        swap: memory.swap,
        disk: space?.totalBytes || undefined,
        network: net,
        load: activity.loads,
        uptime: activity.uptimeSec,
        connections: activity.sockets,
        processes: activity.processes,
      }
      gaps = {
        metrics: (Object.keys(known) as UnmeasuredMetric[]).filter((metric) => known[metric] === undefined),
        disks: space?.silent ?? [],
      }
      const [load1, load5, load15] = activity.loads ?? [0, 0, 0]
      return State.create({
        cpu: cpu ?? 0,
        mem_used: toWire(memory.memory?.usedBytes),
        swap_used: toWire(memory.swap?.usedBytes),
        disk_used: toWire(space?.usedBytes),
        net_in_transfer: toWire(net?.inBytes),
        net_out_transfer: toWire(net?.outBytes),
        net_in_speed: toWire(net?.inRate),
        net_out_speed: toWire(net?.outRate),
        uptime: toWire(activity.uptimeSec),
        load1,
        load5,
        load15,
        tcp_conn_count: toWire(activity.sockets?.tcp),
        udp_conn_count: toWire(activity.sockets?.udp),
        process_count: toWire(activity.processes),
        temperatures: sensors ?? [],
      })
    },
    /** Whether totals have changed since the host report, which would distort their parts. */
    isHostOutdated: () => told !== undefined && newest !== undefined && !areAlike(newest, told),
    unmeasured: () => gaps,
  }
}
