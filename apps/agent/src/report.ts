import { Host, State } from '@qd/protocol/agent'
import type { AgentConfig } from './config/agent-config.ts'
import { readActivity } from './figures/activity.ts'
import { type CpuTicks, parseCpuModels, parseCpuTicks, toCpuPercent } from './figures/cpu.ts'
import { readDisks } from './figures/disks.ts'
import { parseMemory } from './figures/memory.ts'
import { createTrafficReader, type Traffic, toRatePerSec } from './figures/network.ts'
import { readPlatform, readVirtualization } from './figures/platform.ts'
import { readTemperatures } from './figures/temperatures.ts'
import type { Machine } from './machine.ts'

/** Makes the two reports on the machine. */
export interface Reporter {
  readHost(): Promise<Host>
  /** CPU and network rates are those since the previous call. The first call returns the mean CPU since boot and network rates of 0. */
  readState(): Promise<State>
}

/** Disks and sensors change slowly and can be slow to answer, so they are not read for every state. */
const slowPeriodMs = 10_000

/** Returns the last value if it is younger than the period, otherwise a new one. */
const cached = <T>(machine: Machine, read: () => Promise<T>): (() => Promise<T>) => {
  let value: Promise<T> | undefined
  let readAt = 0
  return () => {
    if (value && machine.now() - readAt < slowPeriodMs) return value
    readAt = machine.now()
    value = read()
    return value
  }
}

/** A reporter; `version` is the one to report, `config` returns the configuration in force. */
export const createReporter = (machine: Machine, version: string, config: () => AgentConfig): Reporter => {
  const readTraffic = createTrafficReader(machine)
  // The first percentage is the mean since boot: a few milliseconds after the start would measure the start itself.
  let ticks: CpuTicks = { busy: 0, total: 0 }
  let traffic: (Traffic & { at: number; interfaces: object }) | undefined
  const disks = () => readDisks(machine, config().hard_drive_partition_allowlist)
  const slowDisks = cached(machine, disks)
  const slowTemperatures = cached(machine, () => readTemperatures(machine))

  const cpuPercent = async (): Promise<number> => {
    const before = ticks
    ticks = parseCpuTicks(await machine.read('/proc/stat')) ?? before
    return toCpuPercent(before, ticks)
  }
  const network = async () => {
    const interfaces = config().nic_allowlist
    // Counters of different interfaces cannot be compared, so they give no speed.
    const before = traffic?.interfaces === interfaces ? traffic : undefined
    const after = { ...(await readTraffic(interfaces)), at: machine.now(), interfaces }
    traffic = after
    const rate = (key: keyof Traffic) => (before ? toRatePerSec(before[key], after[key], after.at - before.at) : 0)
    return { ...after, inRate: rate('inBytes'), outRate: rate('outBytes') }
  }

  return {
    async readHost() {
      const [platform, virtualization, meminfo, cpuinfo, stat, space] = await Promise.all([
        readPlatform(machine),
        readVirtualization(machine),
        machine.read('/proc/meminfo'),
        machine.read('/proc/cpuinfo'),
        machine.read('/proc/stat'),
        disks(),
      ])
      const memory = parseMemory(meminfo)
      return Host.create({
        platform: platform.name,
        platform_version: platform.version,
        cpu: parseCpuModels(cpuinfo, virtualization !== ''),
        mem_total: BigInt(memory.memTotal),
        disk_total: BigInt(space.totalBytes),
        swap_total: BigInt(memory.swapTotal),
        arch: machine.arch(),
        virtualization,
        boot_time: BigInt(/^btime (\d+)$/m.exec(stat)?.[1] ?? 0),
        version,
      })
    },
    async readState() {
      const [cpu, meminfo, space, net, activity, temperatures] = await Promise.all([
        cpuPercent(),
        machine.read('/proc/meminfo'),
        slowDisks(),
        network(),
        readActivity(machine, config()),
        config().temperature ? slowTemperatures() : [],
      ])
      const memory = parseMemory(meminfo)
      const [load1, load5, load15] = activity.loads
      return State.create({
        cpu,
        mem_used: BigInt(memory.memUsed),
        swap_used: BigInt(memory.swapUsed),
        disk_used: BigInt(space.usedBytes),
        net_in_transfer: BigInt(net.inBytes),
        net_out_transfer: BigInt(net.outBytes),
        net_in_speed: BigInt(net.inRate),
        net_out_speed: BigInt(net.outRate),
        uptime: BigInt(activity.uptimeSec),
        load1,
        load5,
        load15,
        tcp_conn_count: BigInt(activity.tcpSockets),
        udp_conn_count: BigInt(activity.udpSockets),
        process_count: BigInt(activity.processes),
        temperatures,
      })
    },
  }
}
