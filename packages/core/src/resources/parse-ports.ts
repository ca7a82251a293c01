import type { ParsedRows } from '../define/index.ts'
import { Protocol } from './host-options.ts'
import { boundedRows, cut, optionOf, sectionsOf } from './parse-collected.ts'

type Port = {
  readonly name: string
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  readonly program: string
  readonly pid: number | null
}

const longestProgram = 64
const longestAddress = 100

/** Reads what the collector `ports` printed. */
export function parsePorts(text: string): ParsedRows {
  const sections = sectionsOf(text)
  const ss = sections.get('ss')
  if (ss !== undefined) return boundedRows(ofSs(ss))
  const proc = sections.get('proc')
  if (proc !== undefined) return boundedRows(ofProc(proc))
  return { state: sections.has('unsupported') ? 'not supported' : 'failed' }
}

/** A line of `ss` is a socket: protocol, state, queues, own address, the other’s, processes. */
function* ofSs(text: string): Iterable<Port> {
  for (const line of text.split('\n')) {
    const match = /^(\S+) +(?:LISTEN|UNCONN) +\d+ +\d+ +(\S+):(\d{1,5}) +\S+ ?(.*)$/.exec(line)
    const protocol = match && optionOf(Protocol, match[1] ?? '')
    if (!match || !protocol) continue
    const [, , address = '', port = '', users = ''] = match
    yield portOf(protocol, address.replace(/^\[|\](?=$|%)/g, ''), { port: Number(port), ...firstOf(users) })
  }
}

/** Several processes may share a socket, such as a master and its workers: the oldest PID stands for them. */
function firstOf(users: string): Pick<Port, 'program' | 'pid'> {
  const all = [...users.matchAll(/\("([^"]*)",pid=(\d{1,10}),fd=\d+\)/g)].map(([, program = '', pid]) => ({
    program: cut(program, longestProgram),
    pid: Number(pid),
  }))
  return all.sort((a, b) => a.pid - b.pid)[0] ?? { program: '', pid: null }
}

/** A line of the collector: table, own address, state, the last two as the kernel writes them. */
function* ofProc(text: string): Iterable<Port> {
  for (const line of text.split('\n')) {
    const match = /^(tcp|udp)6? ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) (0A|07)$/.exec(line)
    const [, protocol = '', address = '', port = '', state = ''] = match ?? []
    if (!match || (protocol === 'tcp') !== (state === '0A')) continue
    const bytes = bytesOf(address)
    const said = { port: Number.parseInt(port, 16), program: '', pid: null }
    yield portOf(protocol as Protocol, bytes.length === 4 ? bytes.join('.') : ipv6Of(bytes), said)
  }
}

function portOf(protocol: Protocol, given: string, said: Pick<Port, 'port' | 'program' | 'pid'>): Port {
  const address = cut(given, longestAddress)
  const written = address.includes(':') ? `[${address}]` : address
  return { name: `${protocol}/${written}:${said.port}`, protocol, address, ...said }
}

/** The kernel prints each four bytes as one number of the host’s order, which is the reverse on nearly all hosts. */
function bytesOf(hex: string): number[] {
  return (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)).reverse(),
  )
}

function ipv6Of(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16),
  )
  if (/^(0:){5}ffff:/.test(groups.join(':'))) return `::ffff:${bytes.slice(12).join('.')}`
  const zeros = [...groups.join(':').matchAll(/(?<![^:])0(?::0)+(?![^:])/g)].sort(
    (a, b) => b[0].length - a[0].length,
  )[0]
  if (!zeros) return groups.join(':')
  const text = groups.join(':')
  return `${text.slice(0, zeros.index).replace(/:$/, '')}::${text.slice(zeros.index + zeros[0].length).replace(/^:/, '')}`
}
