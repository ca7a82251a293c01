import { isIP } from 'node:net'
import type { GeoIp, Host, HostState } from '@qd/core/schemas'
import type { GeoIP as GeoMessage, Host as HostMessage, State as StateMessage } from '@qd/protocol/agent'
import { cleanLine } from './clean-text.ts'

/** Most characters of one reported text, and most entries of one reported list (behaviour S-40). */
const most = { text: 128, entries: 32 }

/** An agent's host report in the wire's shape: zeros left out, texts bounded and harmless. Source: contract http-api 4.3. */
export function toHost(message: HostMessage): Host {
  return withoutZeros({
    platform: cleanLine(message.platform, most.text),
    platform_version: cleanLine(message.platform_version, most.text),
    cpu: names(message.cpu),
    mem_total: Number(message.mem_total),
    disk_total: Number(message.disk_total),
    swap_total: Number(message.swap_total),
    arch: cleanLine(message.arch, most.text),
    virtualization: cleanLine(message.virtualization, most.text),
    boot_time: Number(message.boot_time),
    version: cleanLine(message.version, most.text),
    gpu: names(message.gpu),
  })
}

/** What figures can be, by their kind; outside of it they say nothing. An agent that rounds may tell a little over 100 %. */
const sense = {
  percent: 101,
  load: 1e6,
  bytes: 2 ** 60,
  counter: 2 ** 64,
  count: 2 ** 32,
  seconds: 2 ** 36,
  celsius: 1000,
}

/**
 * An agent's sample in the wire's shape: zeros and what is no number left out. Figures without sense are dropped, and told to
 * `onDropped` with how many they were (issue 11.8). Source: contract http-api 4.3.
 */
export function toState(message: StateMessage, onDropped: (count: number) => void = () => {}): HostState {
  let dropped = 0
  const within = (most: number) => (value: number | bigint) => {
    const figure = Number(value)
    if (figure >= 0 && figure <= most) return figure
    dropped += 1
    return 0
  }
  const [percent, load, bytes] = [within(sense.percent), within(sense.load), within(sense.bytes)]
  const [counter, count, seconds] = [within(sense.counter), within(sense.count), within(sense.seconds)]
  // No sensor of a machine that runs is colder than its coldest night or hotter than its glow.
  const heat = (value: number) => (value < 0 && value >= -100 ? value : within(sense.celsius)(value))
  const state = withoutZeros({
    cpu: Math.min(100, percent(message.cpu)),
    mem_used: bytes(message.mem_used),
    swap_used: bytes(message.swap_used),
    disk_used: bytes(message.disk_used),
    net_in_transfer: counter(message.net_in_transfer),
    net_out_transfer: counter(message.net_out_transfer),
    net_in_speed: bytes(message.net_in_speed),
    net_out_speed: bytes(message.net_out_speed),
    uptime: seconds(message.uptime),
    load_1: load(message.load1),
    load_5: load(message.load5),
    load_15: load(message.load15),
    tcp_conn_count: count(message.tcp_conn_count),
    udp_conn_count: count(message.udp_conn_count),
    process_count: count(message.process_count),
    temperatures: message.temperatures
      .slice(0, most.entries)
      .map(({ name, temperature }) => ({ Name: cleanLine(name, most.text), Temperature: heat(temperature) })),
    gpu: message.gpu.slice(0, most.entries).map(percent),
  })
  if (dropped > 0) onDropped(dropped)
  return state
}

/** Where an agent says it is; what is no address counts as none, and without any the caller's own is taken. Source: agent contract 2.5. */
export function toGeoIp(message: GeoMessage, caller: string, countryOf: (address: string) => string): GeoIp {
  const told = { v4: address(message.ip?.ipv4), v6: address(message.ip?.ipv6) }
  const v4 = told.v4 || told.v6 ? told.v4 : address(caller)
  const looked = told.v6 && (message.use6 || !v4) ? told.v6 : v4
  return {
    ip: withoutZeros({ ipv4_addr: v4, ipv6_addr: told.v6 }),
    ...withoutZeros({ country_code: looked ? countryOf(looked) : '' }),
  }
}

const names = (list: readonly string[]) => list.slice(0, most.entries).map((name) => cleanLine(name, most.text))
const address = (text = '') => (isIP(text) ? text : '')

function withoutZeros<T extends object>(figures: T): Partial<T> {
  const kept = Object.entries(figures).filter(([, value]) =>
    Array.isArray(value)
      ? value.length > 0
      : typeof value === 'number'
        ? value !== 0 && Number.isFinite(value)
        : value !== '',
  )
  return Object.fromEntries(kept) as Partial<T>
}
