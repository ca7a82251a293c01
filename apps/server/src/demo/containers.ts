import { collectCommandOf } from '@qd/protocol/collectors'
import type { Machine } from './machines.ts'

/** Compose services of a kind of server, with their images. */
const ofKind: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api: { api: 'registry.example.net/shop/api:4.12.1', 'api-sidecar': 'envoyproxy/envoy:v1.34.0' },
  ci: { runner: 'gitlab/gitlab-runner:v18.2.0', registry: 'registry:2.8.3' },
  metrics: { grafana: 'grafana/grafana:12.1.0', prometheus: 'prom/prometheus:v3.5.0' },
  queue: { rabbitmq: 'rabbitmq:4.1-management' },
  web: {
    app: 'registry.example.net/shop/web:4.12.1',
    cache: 'redis:8.0-alpine',
    migrate: 'registry.example.net/shop/web:4.12.1',
  },
  worker: { 'orders-worker': 'registry.example.net/shop/worker:4.12.1' },
}

interface Container {
  service: string
  image: string
  status: 'running' | 'exited'
  health: 'healthy' | 'unhealthy' | ''
  exit: number
  /** Epoch ms. */
  since: number
}

const collect = collectCommandOf('containers')
const action = /^docker (start|stop|restart|rm) -- (.+)$/

/** The containers of the demo’s servers, which actions change until the demo ends. Answers a command about them; null for any other command. */
export function createContainers(): (machine: Machine, command: string, at: number) => string | null {
  const known = new Map<number, Container[]>()
  function containersOf(machine: Machine): Container[] {
    const containers = known.get(machine.id) ?? firstContainers(machine)
    known.set(machine.id, containers)
    return containers
  }
  return (machine, command, at) => {
    if (command === collect) return ofKind[machine.kind] ? printed(machine, containersOf(machine)) : '#@ unsupported'
    const [, verb, words] = action.exec(command) ?? []
    if (!words) return null
    const names = words.replaceAll(/["']/g, '').split(' ')
    const containers = containersOf(machine)
    if (verb === 'rm')
      known.set(
        machine.id,
        containers.filter(({ service }) => !names.includes(`shop-${service}-1`)),
      )
    for (const one of containers.filter(({ service }) => names.includes(`shop-${service}-1`))) {
      if (verb === 'stop') Object.assign(one, { status: 'exited', health: '', exit: 0, since: at })
      else Object.assign(one, { status: 'running', health: 'healthy', since: at })
    }
    return names.join('\n')
  }
}

function firstContainers({ id, kind, host }: Machine): Container[] {
  return Object.entries(ofKind[kind] ?? {}).map(([service, image], index) => {
    const isDone = service === 'migrate'
    const isSick = !isDone && (id * 5 + index * 3) % 17 === 4
    return {
      service,
      image,
      status: isDone ? 'exited' : 'running',
      health: isDone ? '' : isSick ? 'unhealthy' : 'healthy',
      exit: 0,
      since: (host.boot_time + 40 + index) * 1000,
    }
  })
}

function printed({ id }: Machine, containers: readonly Container[]): string {
  const inspected = containers.map(({ service, image, status, health, exit, since }, index) => {
    const at = new Date(since).toISOString()
    return JSON.stringify({
      ...{ id: idOf(id, service), name: `/shop-${service}-1`, image, status, health, exit },
      ...{ created: at, started: at, finished: at, restarts: 0, project: 'shop', service },
      ports: service === 'app' ? { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: String(8080 + index) }] } : {},
    })
  })
  const stats = containers.flatMap(({ service, status }, index) =>
    status === 'running'
      ? JSON.stringify({
          ID: idOf(id, service),
          CPUPerc: `${((id * 13 + index * 29) % 470) / 10}%`,
          MemUsage: `${40 + ((id * 31 + index * 97) % 700)}MiB / 4GiB`,
        })
      : [],
  )
  return `#@ docker\n${inspected.join('\n')}\n#@ docker-stats\n${stats.join('\n')}\n`
}

const idOf = (machine: number, service: string) =>
  Buffer.from(`${machine} ${service}`).toString('hex').padEnd(64, '0').slice(0, 64)
