import { collectCommandOf } from '@qd/protocol/collectors'
import type { Machine } from './machines.ts'

/** A program of a simulated server: its share of the server’s CPU and memory in percent, how many of it run, and where it listens. */
interface Program {
  readonly name: string
  readonly user: string
  readonly command: string
  readonly share: readonly [cpu: number, memory: number]
  readonly count?: number
  readonly listens?: readonly string[]
}

const program = (
  name: string,
  user: string,
  command: string,
  share: Program['share'],
  more: Pick<Program, 'count' | 'listens'> = {},
): Program => ({ name, user, command, share, ...more })

const everywhere = [
  program('systemd-journald', 'root', '/lib/systemd/systemd-journald', [1, 1.2]),
  program('cron', 'root', '/usr/sbin/cron -f', [0, 0.1]),
  program('rsyslogd', 'syslog', '/usr/sbin/rsyslogd -n', [0.5, 0.3]),
  program('sshd', 'root', 'sshd: /usr/sbin/sshd -D [listener]', [0, 0.2], { listens: ['0.0.0.0:22', '[::]:22'] }),
]
/** Programs of a kind of server. */
const ofKind: Readonly<Record<string, readonly Program[]>> = {
  backup: [
    program('rest-server', 'restic', 'rest-server --path /srv/restic --private-repos', [60, 12], {
      listens: ['0.0.0.0:8000'],
    }),
  ],
  cache: [
    program('redis-server', 'redis', '/usr/bin/redis-server 127.0.0.1:6379', [70, 85], { listens: ['127.0.0.1:6379'] }),
  ],
  db: [
    program('postgres', 'postgres', 'postgres -D /var/lib/postgresql/17/main', [18, 30], { count: 4 }),
    program('pgbouncer', 'postgres', '/usr/sbin/pgbouncer /etc/pgbouncer/pgbouncer.ini', [6, 1], {
      listens: ['0.0.0.0:6432'],
    }),
  ],
  edge: [
    program('haproxy', 'haproxy', '/usr/sbin/haproxy -Ws -f /etc/haproxy/haproxy.cfg', [70, 22], {
      listens: ['0.0.0.0:80', '0.0.0.0:443'],
    }),
  ],
  mail: [
    program('master', 'root', '/usr/lib/postfix/sbin/master -w', [10, 2], { listens: ['0.0.0.0:25', '0.0.0.0:587'] }),
    program('dovecot', 'root', '/usr/sbin/dovecot -F', [30, 12], { listens: ['0.0.0.0:993'] }),
  ],
  metrics: [
    program('prometheus', 'prometheus', '/usr/bin/prometheus --storage.tsdb.retention.time=90d', [80, 75], {
      listens: ['*:9090'],
    }),
  ],
  queue: [
    program('beam.smp', 'rabbitmq', '/usr/lib/erlang/bin/beam.smp -- -noshell rabbit', [75, 55], {
      listens: ['*:5672'],
    }),
  ],
  web: [
    program('nginx', 'www-data', 'nginx: worker process', [8, 2], { count: 4, listens: ['0.0.0.0:80', '0.0.0.0:443'] }),
    program('php-fpm8.4', 'www-data', 'php-fpm: pool www', [12, 9], { count: 4 }),
  ],
  worker: [program('orders-worker', 'orders', '/opt/orders/bin/worker --queue orders', [30, 20], { count: 2 })],
}

const hz = 100
const page = 4096

interface Process extends Program {
  pid: number
  /** Epoch ms. */
  since: number
}

const action = /^sh -c [\s\S]* sh ([A-Z0-9]+) ((?:\d+@\d+ ?)+)$/
/** Signals that end a process; a service manager starts it again. */
const ending = new Set(['TERM', 'KILL', 'INT', 'QUIT'])

/** The processes and ports of the demo’s servers. Answers a command about them; null for any other command. */
export function createProcesses(): (machine: Machine, command: string, at: number) => string | null {
  const known = new Map<number, readonly Process[]>()
  function processesOf(machine: Machine): readonly Process[] {
    const processes = known.get(machine.id) ?? firstProcesses(machine)
    known.set(machine.id, processes)
    return processes
  }
  return (machine, command, at) => {
    if (command === collectCommandOf('processes')) return printed(machine, processesOf(machine), at)
    if (command === collectCommandOf('ports')) return portsOf(processesOf(machine))
    const [, signal = '', names] = action.exec(command) ?? []
    if (!names) return null
    for (const process of processesOf(machine))
      if (ending.has(signal) && names.split(' ').includes(nameOf(machine, process)))
        Object.assign(process, { pid: process.pid + 20_000, since: at })
    return ''
  }
}

function firstProcesses({ id, kind, host }: Machine): readonly Process[] {
  const all = [...everywhere, ...(ofKind[kind] ?? [])]
  return all
    .flatMap((one) => Array.from({ length: one.count ?? 1 }, (_, nth) => ({ ...one, share: shareOf(one, nth) })))
    .map((one, index) => ({
      ...one,
      pid: 400 + (id % 40) * 7 + index * 31,
      since: (host.boot_time + 20 + index) * 1000,
    }))
}

/** Of several, the first do most. */
function shareOf({ share: [cpu, memory], count = 1 }: Program, nth: number): Program['share'] {
  const first = (count - 1) / 2 - nth
  return [cpu * (1 + 0.3 * first), memory * (1 + 0.05 * first)]
}

const startOf = ({ host }: Machine, { since }: Process) => Math.round((since / 1000 - host.boot_time) * hz)
const nameOf = (machine: Machine, process: Process) => `${process.pid}@${startOf(machine, process)}`

function printed(machine: Machine, processes: readonly Process[], at: number): string {
  const { host } = machine
  const { cpu, mem_used } = machine.sampleAt(at)
  const cores = Number(/\d+/.exec(host.cpu?.[0] ?? '')?.[0] ?? 1)
  const uptime = at / 1000 - host.boot_time
  const lines = processes.map((process) => {
    const used = Math.round((cpu * cores * process.share[0]) / 100)
    const before = Math.round((at - process.since) / 1000) * Math.ceil(used / 2)
    const pages = Math.round((mem_used * process.share[1]) / 100 / page)
    const state = used > 20 ? 'R' : 'S'
    return `${process.pid} 1 ${state} 0 ${startOf(machine, process)} ${pages} 1 ${before} ${before + used} ${process.name}`
  })
  return [
    '#@ linux',
    ...[hz, page, host.boot_time, `${uptime - 1} ${uptime}`],
    `1 0 S 0 1 3000 1 500 500 systemd`,
    ...lines,
    '#@ ps',
    '1 root /sbin/init',
    ...processes.map(({ pid, user, command }) => `${pid} ${user} ${command}`),
    '',
  ].join('\n')
}

function portsOf(processes: readonly Process[]): string {
  const lines = processes.flatMap(({ name, pid, listens = [] }) =>
    listens.map((address) => `tcp LISTEN 0 128 ${address} 0.0.0.0:* users:(("${name}",pid=${pid},fd=6))`),
  )
  return [
    '#@ ss',
    'udp UNCONN 0 0 127.0.0.53%lo:53 0.0.0.0:* users:(("systemd-resolve",pid=312,fd=13))',
    ...lines,
    '',
  ].join('\n')
}
