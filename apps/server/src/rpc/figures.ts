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

/** An agent's sample in the wire's shape: zeros and what is no number left out. Source: contract http-api 4.3. */
export function toState(message: StateMessage): HostState {
  return withoutZeros({
    cpu: message.cpu,
    mem_used: Number(message.mem_used),
    swap_used: Number(message.swap_used),
    disk_used: Number(message.disk_used),
    net_in_transfer: Number(message.net_in_transfer),
    net_out_transfer: Number(message.net_out_transfer),
    net_in_speed: Number(message.net_in_speed),
    net_out_speed: Number(message.net_out_speed),
    uptime: Number(message.uptime),
    load_1: message.load1,
    load_5: message.load5,
    load_15: message.load15,
    tcp_conn_count: Number(message.tcp_conn_count),
    udp_conn_count: Number(message.udp_conn_count),
    process_count: Number(message.process_count),
    temperatures: message.temperatures
      .slice(0, most.entries)
      .map(({ name, temperature }) => ({ Name: cleanLine(name, most.text), Temperature: finite(temperature) })),
    gpu: message.gpu.slice(0, most.entries).map(finite),
  })
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
const finite = (value: number) => (Number.isFinite(value) ? value : 0)
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
