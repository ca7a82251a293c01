import { type LogEntry, parseLogRequest, toLogFrame } from '@qd/protocol/logs'
import type { Machine } from './machines.ts'

/** What programs of a simulated server say, in turn: `n` makes one line unlike the next. */
type Say = (n: number) => string

const common: Readonly<Record<string, readonly Say[]>> = {
  'ssh.service': [
    (n) => `Accepted publickey for deploy from 10.0.${n % 4}.${n % 250} port ${40_000 + (n % 20_000)} ssh2`,
    (n) => `Disconnected from user deploy 10.0.${n % 4}.${n % 250}`,
    (n) => `Invalid user oracle from 198.51.100.${n % 250}`,
  ],
  'cron.service': [() => '(root) CMD (run-parts /etc/cron.hourly)'],
  'systemd-timesyncd.service': [() => 'Contacted time server 0.debian.pool.ntp.org'],
}
const ofKind: Readonly<Record<string, Readonly<Record<string, readonly Say[]>>>> = {
  db: {
    'postgresql@17-main.service': [
      (n) => `LOG:  checkpoint complete: wrote ${n % 900} buffers`,
      (n) => `LOG:  duration: ${1_000 + (n % 4_000)} ms  statement: SELECT * FROM orders WHERE id = ${n}`,
    ],
  },
  edge: {
    'haproxy.service': [
      (n) => `10.0.0.${n % 250} "GET /api/orders/${n} HTTP/2.0" ${n % 17 === 0 ? 502 : 200} ${n % 90} ms`,
    ],
  },
  web: {
    'nginx.service': [
      (n) => `10.0.0.${n % 250} "GET /orders/${n} HTTP/2.0" ${n % 13 === 0 ? 502 : 200} ${n % 90} ms`,
      (n) => `10.0.0.${n % 250} "GET /assets/app.js HTTP/2.0" 304 1 ms ${n}`,
    ],
  },
  worker: { 'orders-worker.service': [(n) => `order ${n} done`, (n) => `order ${n}: retry in ${n % 60} s`] },
}

/** One line of each server this often, in ms. */
const everyMs = 1_500

/** The line of a time slot. The same slot has the same line for each reader. */
function entryOf(machine: Machine, slot: number): LogEntry {
  const programs = Object.entries({ ...common, ...ofKind[machine.kind] })
  const n = (slot * 31 + machine.id * 7) % 100_003
  // What a server is there for says most.
  const [unit, says] = programs[n % 3 === 0 ? n % programs.length : programs.length - 1]!
  const text = says[n % says.length]!(n)
  return {
    at: slot * everyMs + ((machine.id * 137) % everyMs),
    unit,
    name: unit.replace(/(@.*)?\.service$/, ''),
    pid: 300 + ((machine.id * 17 + unit.length) % 900),
    level: / 502 |Invalid/.test(text) ? 3 : /retry|duration/.test(text) ? 4 : 6,
    text,
  }
}

/** Log lines of a simulated server over a stream. */
export function startLogs(
  machine: Machine,
  { send, end, onClose }: { send(bytes: Uint8Array): void; end(): void; onClose(run: () => void): void },
  now: () => number,
  data: string,
): () => void {
  const request = parseLogRequest(JSON.parse(data))
  if ('wrong' in request || request.container || request.file) {
    send(toLogFrame({ kind: 'end', end: 'not supported', error: '' }))
    end()
    return () => undefined
  }
  const { unit, since, lines, follow } = request
  const wanted = ({ at, ...entry }: LogEntry) =>
    (since === null || at >= since) && (unit === '' || entry.unit === unit || entry.unit === `${unit}.service`)
  const entriesIn = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => entryOf(machine, from + index)).filter(wanted)
  let next = Math.floor(now() / everyMs)
  // A filter leaves few of them, so that more are looked at.
  const looked = Math.min(5_000, lines * 8)
  send(toLogFrame({ kind: 'source', source: 'journal', filtered: false }))
  send(toLogFrame({ kind: 'entries', entries: entriesIn(next - looked, next).slice(-lines || looked), left: 0 }))
  if (!follow) {
    send(toLogFrame({ kind: 'end', end: 'done', error: '' }))
    end()
    return () => undefined
  }
  const timer = setInterval(() => {
    const to = Math.floor(now() / everyMs)
    const entries = entriesIn(next, to)
    next = Math.max(next, to)
    if (entries.length > 0) send(toLogFrame({ kind: 'entries', entries, left: 0 }))
  }, 500)
  timer.unref()
  onClose(() => clearInterval(timer))
  return () => undefined
}
