import { isIP } from 'node:net'
import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { GeoIP as GeoMessage, Host as HostMessage, State as StateMessage } from '@qd/protocol/agent'
import { parseUnmeasured, type Unmeasured } from '@qd/protocol/unmeasured'
import { cleanLine } from '../agents/clean-text.ts'

/** Maximum lengths of reported texts and lists (behaviour S-40). */
const most = { text: 128, path: 1024, entries: 32 }

/** A host report in the wire's shape: zeros left out, texts bounded and safe, implausible values dropped (contract http-api 4.3). */
export function toHost(message: HostMessage, figure: Figures = sensible()): Host {
  return withoutZeros({
    platform: cleanLine(message.platform, most.text),
    platform_version: cleanLine(message.platform_version, most.text),
    cpu: names(message.cpu),
    mem_total: figure.bytes(message.mem_total),
    disk_total: figure.bytes(message.disk_total),
    swap_total: figure.bytes(message.swap_total),
    arch: cleanLine(message.arch, most.text),
    virtualization: cleanLine(message.virtualization, most.text),
    boot_time: figure.seconds(message.boot_time),
    version: cleanLine(message.version, most.text),
    gpu: names(message.gpu),
  })
}

export function toUnmeasured(text: string): Unmeasured {
  const { metrics, disks } = parseUnmeasured(text)
  return { metrics, disks: disks.map((path) => cleanLine(path, most.path)) }
}

/** Maximum per kind. An agent that rounds may report slightly over 100%. */
const sense = {
  percent: 101,
  load: 1e6,
  bytes: 2 ** 60,
  counter: 2 ** 64,
  count: 2 ** 32,
  seconds: 2 ** 36,
  celsius: 1000,
}

type Figures = ReturnType<typeof sensible>

/** Clamps metrics by kind: an implausible value becomes 0 and calls `onDropped`. */
export function sensible(onDropped: () => void = () => {}) {
  const within = (most: number) => (value: number | bigint) => {
    const figure = Number(value)
    if (figure >= 0 && figure <= most) return figure
    onDropped()
    return 0
  }
  const celsius = within(sense.celsius)
  const percent = within(sense.percent)
  return {
    percent: (value: number) => Math.min(100, percent(value)),
    load: within(sense.load),
    bytes: within(sense.bytes),
    counter: within(sense.counter),
    count: within(sense.count),
    seconds: within(sense.seconds),
    // No sensor of a running host is colder or hotter.
    celsius: (value: number) => (value < 0 && value >= -100 ? value : celsius(value)),
  }
}

/** A sample in the wire's shape: zeros and implausible values left out (contract http-api 4.3). */
export function toState(message: StateMessage, figure: Figures = sensible()): HostState {
  return withoutZeros({
    cpu: figure.percent(message.cpu),
    mem_used: figure.bytes(message.mem_used),
    swap_used: figure.bytes(message.swap_used),
    disk_used: figure.bytes(message.disk_used),
    net_in_transfer: figure.counter(message.net_in_transfer),
    net_out_transfer: figure.counter(message.net_out_transfer),
    net_in_speed: figure.bytes(message.net_in_speed),
    net_out_speed: figure.bytes(message.net_out_speed),
    uptime: figure.seconds(message.uptime),
    load_1: figure.load(message.load1),
    load_5: figure.load(message.load5),
    load_15: figure.load(message.load15),
    tcp_conn_count: figure.count(message.tcp_conn_count),
    udp_conn_count: figure.count(message.udp_conn_count),
    process_count: figure.count(message.process_count),
    temperatures: message.temperatures
      .slice(0, most.entries)
      .map(({ name, temperature }) => ({ Name: cleanLine(name, most.text), Temperature: figure.celsius(temperature) })),
    gpu: message.gpu.slice(0, most.entries).map(figure.percent),
  })
}

/** The agent's location; without a valid address, that of its connection (agent contract 2.5). */
export function toGeoIp(message: GeoMessage, caller: string, countryOf: (address: string) => string): GeoIp {
  const reported = { v4: address(message.ip?.ipv4), v6: address(message.ip?.ipv6) }
  const v4 = reported.v4 || reported.v6 ? reported.v4 : address(caller)
  const located = reported.v6 && (message.use6 || !v4) ? reported.v6 : v4
  return {
    ip: withoutZeros({ ipv4_addr: v4, ipv6_addr: reported.v6 }),
    ...withoutZeros({ country_code: located ? countryOf(located) : '' }),
  }
}

const names = (list: readonly string[]) => list.slice(0, most.entries).map((name) => cleanLine(name, most.text))
const address = (text = '') => (isIP(text) ? text : '')

/** A loop, because it runs for every sample of every server. */
function withoutZeros<T extends object>(figures: T): Partial<T> {
  const kept: Partial<T> = {}
  for (const name in figures) if (isSomething(figures[name])) kept[name] = figures[name]
  return kept
}

function isSomething(value: unknown): boolean {
  if (typeof value === 'number') return value !== 0 && Number.isFinite(value)
  return Array.isArray(value) ? value.length > 0 : value !== ''
}
