import { AppError, defined } from '../errors.ts'
import type { GeoIp, Host, HostState } from './host-state.ts'

export interface TemplateServer {
  readonly id: number
  readonly name: string
  readonly host: Host
  readonly state: HostState
  readonly geoip: GeoIp
}

/** How inserted values are escaped (contract engines 4.3). */
export type TemplateEscape = keyof typeof escapes

export interface TemplateFill {
  readonly message: string
  /** Epoch ms. */
  readonly at: number
  /** IANA name of the site’s zone. */
  readonly timeZone: string
  /** Null: placeholders of servers stay as typed. */
  readonly server: TemplateServer | null
  /** Formats percent and sizes instead of bare numbers. */
  readonly units: boolean
}

/** Maximum length of a filled template, in UTF-16 units. */
export const maxFilledLength = 4 * 1024 * 1024

type Plain = (server: TemplateServer) => string
type Forms = Plain | { plain: Plain; units: Plain }

const decimals = (value = 0) => value.toFixed(6)
const whole = (value = 0) => String(Math.trunc(value))
const ratio = (used = 0, total = 0) => (total > 0 ? used / total : 0)
const share = (of: (server: TemplateServer) => number): Forms => ({
  plain: (server) => decimals(of(server)),
  units: (server) => `${(of(server) * 100).toFixed(2)} %`,
})
const bytes = (of: (server: TemplateServer) => number | undefined, per = ''): Forms => ({
  plain: (server) => `${whole(of(server))}${per}`,
  units: (server) => `${templateBytes(of(server) ?? 0)}${per}`,
})

const serverForms: Readonly<Record<string, Forms>> = {
  'SERVER.NAME': ({ name }) => name,
  'SERVER.ID': ({ id }) => String(id),
  'SERVER.CPU': {
    plain: ({ state }) => decimals(state.cpu),
    units: ({ state }) => `${(state.cpu ?? 0).toFixed(2)} %`,
  },
  'SERVER.MEM': share(({ state, host }) => ratio(state.mem_used, host.mem_total)),
  'SERVER.SWAP': share(({ state, host }) => ratio(state.swap_used, host.swap_total)),
  'SERVER.DISK': share(({ state, host }) => ratio(state.disk_used, host.disk_total)),
  'SERVER.SPEEDIN': bytes(({ state }) => state.net_in_speed, '/s'),
  'SERVER.SPEEDOUT': bytes(({ state }) => state.net_out_speed, '/s'),
  'SERVER.TRANSFERIN': bytes(({ state }) => state.net_in_transfer),
  'SERVER.TRANSFEROUT': bytes(({ state }) => state.net_out_transfer),
  'SERVER.CPUUSED': ({ state }) => decimals(state.cpu),
  'SERVER.MEMUSED': ({ state }) => whole(state.mem_used),
  'SERVER.SWAPUSED': ({ state }) => whole(state.swap_used),
  'SERVER.DISKUSED': ({ state }) => whole(state.disk_used),
  'SERVER.MEMTOTAL': ({ host }) => whole(host.mem_total),
  'SERVER.SWAPTOTAL': ({ host }) => whole(host.swap_total),
  'SERVER.DISKTOTAL': ({ host }) => whole(host.disk_total),
  'SERVER.NETINSPEED': ({ state }) => whole(state.net_in_speed),
  'SERVER.NETOUTSPEED': ({ state }) => whole(state.net_out_speed),
  'SERVER.NETINTRANSFER': ({ state }) => whole(state.net_in_transfer),
  'SERVER.NETOUTTRANSFER': ({ state }) => whole(state.net_out_transfer),
  'SERVER.LOAD1': ({ state }) => decimals(state.load_1),
  'SERVER.LOAD5': ({ state }) => decimals(state.load_5),
  'SERVER.LOAD15': ({ state }) => decimals(state.load_15),
  'SERVER.TCPCONNCOUNT': ({ state }) => whole(state.tcp_conn_count),
  'SERVER.UDPCONNCOUNT': ({ state }) => whole(state.udp_conn_count),
  'SERVER.IP': ({ geoip: { ip = {} } }) => ip.ipv4_addr || ip.ipv6_addr || '',
  'SERVER.IPV4': ({ geoip: { ip = {} } }) => ip.ipv4_addr ?? '',
  'SERVER.IPV6': ({ geoip: { ip = {} } }) => ip.ipv6_addr ?? '',
}

const generalNames = ['NEZHA', 'DATETIME']

/** In the order of contract engines 4.2. */
export const placeholders: readonly string[] = [...generalNames, ...Object.keys(serverForms)].map((name) => `#${name}#`)

const anyOf = (names: readonly string[]) => new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g')
const everyPattern = anyOf(placeholders)

const escapes = {
  none: (value: string) => value,
  path: (value: string) => escapeQuery(value).replaceAll('+', '%20'),
  url: escapeQuery,
  json: escapeJson,
}

/** Replaces placeholders in one pass, without looking at inserted values again. Errors: `tooLarge` beyond `maxFilledLength`. Source: contract engines 4.2. */
export function fillTemplate(template: string, fill: TemplateFill, safe: TemplateEscape): string {
  const known = new Map<string, string>()
  let size = template.length
  return template.replace(everyPattern, (placeholder) => {
    const value = known.get(placeholder) ?? escapes[safe](wordFor(placeholder.slice(1, -1), fill) ?? placeholder)
    known.set(placeholder, value)
    size += value.length - placeholder.length
    if (size > maxFilledLength) throw new AppError('tooLarge')
    return value
  })
}

/** Null for a server’s placeholder without a server: it stays as typed. In a URL it is escaped, because a bare `#` would end that. */
function wordFor(name: string, { message, at, timeZone, server, units }: TemplateFill): string | null {
  if (name === 'NEZHA') return message
  if (name === 'DATETIME') return templateTime(at, timeZone)
  if (!server) return null
  const forms = defined(serverForms[name])
  if (typeof forms === 'function') return forms(server)
  return (units ? forms.units : forms.plain)(server)
}

/** Replaces placeholders with text of the same length (digits for numbers), so that positions stay those of the template. */
export function standIn(template: string, units: boolean): string {
  const zero: TemplateFill = { message: 'x', at: 0, timeZone: 'UTC', units, server: silentServer }
  return template.replace(everyPattern, (placeholder) => {
    const isNumber = /^\d+(\.\d+)?$/.test(wordFor(placeholder.slice(1, -1), zero) ?? '')
    return (isNumber ? '1' : 'x').repeat(placeholder.length)
  })
}

const silentServer: TemplateServer = { id: 1, name: 'x', host: {}, state: {}, geoip: {} }

/** Replaces these names between `#` in one pass, without looking at inserted values again. */
export function fillNames(template: string, values: Readonly<Record<string, string>>, safe: TemplateEscape): string {
  return template.replace(/#(\w+)#/g, (typed, name: string) =>
    Object.hasOwn(values, name) ? escapes[safe](defined(values[name])) : typed,
  )
}

/** Escapes for a URL’s query: a space is `+` (contract engines 4.3). Half a surrogate pair becomes U+FFFD. */
export function escapeQuery(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

/** The inside of a JSON string, also safe in HTML. */
function escapeJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const sizes = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB']

/** Base 1024 with the units of contract engines 4.2; one decimal below ten. */
export function templateBytes(value: number): string {
  const power = value < 10 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log2(value) / 10))
  const amount = Math.floor((value / 1024 ** power) * 10 + 0.5) / 10
  return `${power === 0 ? Math.trunc(value) : amount < 10 ? amount.toFixed(1) : amount.toFixed(0)} ${sizes[power]}`
}

/** Such as `2025-01-02 03:04:05.678 +0800 CST`; a zone without letters is named by its offset. */
function templateTime(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const fraction = String(((at % 1000) + 1000) % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '')
  const offset = part('timeZoneName')
    .replace(/^GMT$/, '+0000')
    .replace(/^GMT|:/g, '')
  const zoneParts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }).formatToParts(at)
  const letters = zoneParts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const name = /^[A-Z]+$/.test(letters) ? letters : offset.replace(/00$/, '')
  const date = `${part('year')}-${part('month')}-${part('day')}`
  const time = `${part('hour')}:${part('minute')}:${part('second')}${fraction && `.${fraction}`}`
  return `${date} ${time} ${offset} ${name}`
}
