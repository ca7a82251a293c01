import { collectCommandOf } from '@qd/protocol/collectors'
import type { Machine } from './machines.ts'

/** Units of each simulated server, with their descriptions. */
const everywhere: Readonly<Record<string, string>> = {
  'apt-daily.timer': 'Daily apt download activities',
  'certbot.service': 'Certbot',
  'certbot.timer': 'Run certbot twice daily',
  'cron.service': 'Regular background program processing daemon',
  'fail2ban.service': 'Fail2Ban Service',
  'logrotate.timer': 'Daily rotation of log files',
  'rsyslog.service': 'System Logging Service',
  'ssh.service': 'OpenBSD Secure Shell server',
  'systemd-journald.service': 'Journal Service',
  'systemd-timesyncd.service': 'Network Time Synchronization',
  'uuidd.socket': 'UUID daemon activation socket',
}
/** Those of a kind of server. */
const ofKind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  backup: { 'restic-rest-server.service': 'Rest server for restic' },
  cache: { 'redis-server.service': 'Advanced key-value store' },
  db: {
    'postgresql@17-main.service': 'PostgreSQL Cluster 17-main',
    'pgbouncer.service': 'Connection pooler for PostgreSQL',
  },
  edge: { 'haproxy.service': 'HAProxy Load Balancer' },
  mail: { 'postfix.service': 'Postfix Mail Transport Agent', 'dovecot.service': 'Dovecot IMAP/POP3 email server' },
  metrics: { 'prometheus.service': 'Monitoring system and time series database' },
  queue: { 'rabbitmq-server.service': 'RabbitMQ Messaging Server' },
  web: {
    'nginx.service': 'A high performance web server',
    'php8.4-fpm.service': 'The PHP 8.4 FastCGI Process Manager',
  },
  worker: { 'orders-worker.service': 'Worker of the queue “orders”' },
}

interface Unit {
  name: string
  description: string
  state: 'active' | 'inactive' | 'failed'
  enabled: 'enabled' | 'disabled' | 'static'
  /** Epoch ms. */
  since: number
  memory: number
}

const stateAfter: Readonly<Record<string, Unit['state']>> = {
  start: 'active',
  restart: 'active',
  stop: 'inactive',
}
const enabledAfter: Readonly<Record<string, Unit['enabled']>> = { enable: 'enabled', disable: 'disabled' }

const collect = collectCommandOf('units')
const action = /^systemctl (start|stop|restart|reload|enable|disable) -- (.+)$/

/** The units of the demo’s servers, which actions change until the demo ends. Answers a command about them; null for any other command. */
export function createUnits(): (machine: Machine, command: string, at: number) => string | null {
  const known = new Map<number, readonly Unit[]>()
  function unitsOf(machine: Machine): readonly Unit[] {
    const units = known.get(machine.id) ?? firstUnits(machine)
    known.set(machine.id, units)
    return units
  }
  return (machine, command, at) => {
    if (command === collect) return `#@ systemctl\n${unitsOf(machine).map(blockOf).join('\n')}`
    const [, verb = '', words] = action.exec(command) ?? []
    if (!words) return null
    const names = words.replaceAll(/["']/g, '').split(' ')
    for (const unit of unitsOf(machine).filter(({ name }) => names.includes(name))) {
      if (stateAfter[verb]) Object.assign(unit, { state: stateAfter[verb], since: at })
      if (enabledAfter[verb]) unit.enabled = enabledAfter[verb]
    }
    return ''
  }
}

function firstUnits({ id, kind, host }: Machine): readonly Unit[] {
  return Object.entries({ ...everywhere, ...ofKind[kind] }).map(([name, description], index) => {
    const isIdle = name === 'certbot.service'
    const hasFailed = (isIdle && id % 11 === 3) || (name === 'fail2ban.service' && id % 23 === 7)
    return {
      name,
      description,
      state: hasFailed ? 'failed' : isIdle ? 'inactive' : 'active',
      enabled: isIdle || name === 'systemd-journald.service' ? 'static' : 'enabled',
      since: (host.boot_time + 20 + index) * 1000,
      memory: ((id * 7 + index * 13) % 90) * 2 ** 20 + 3 * 2 ** 20,
    }
  })
}

function blockOf({ name, description, state, enabled, since, memory }: Unit): string {
  const isService = name.endsWith('.service')
  const running = isService ? 'running' : name.endsWith('.timer') ? 'waiting' : 'listening'
  const time = new Date(since).toISOString()
  return `Id=${name}
Description=${description}
LoadState=loaded
ActiveState=${state}
SubState=${state === 'active' ? running : state === 'failed' ? 'failed' : 'dead'}
UnitFileState=${enabled}
StateChangeTimestamp=Thu ${time.slice(0, 10)} ${time.slice(11, 19)} UTC
MemoryCurrent=${isService && state === 'active' ? memory : '[not set]'}
NRestarts=${isService ? 0 : ''}
`
}
