import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy } from '../define/index.ts'
import { instant } from '../schemas/index.ts'
import { hostAction, hostAdded, hostDefaults, hostKinds, hostRollout, hostShell } from './host.ts'
import { ContainerEngine, ContainerHealth, ContainerState, containerParts } from './host-options.ts'

const added = lazy(() => ({
  ...hostAdded(),
  ref: z.string(),
  engine: z.enum(ContainerEngine),
  image: z.string(),
  state: z.enum(ContainerState),
  health: z.enum(ContainerHealth),
  exit_code: z.number().nullable(),
  project: z.string(),
  service: z.string(),
  ports: z.string(),
  since: instant.nullable(),
  restarts: z.number().nullable(),
  cpu: z.number().nullable(),
  memory: z.number().nullable(),
}))

const { running, starting, unhealthy, restarting, paused, stopping, removing, created, exited, dead } = ContainerState
/** States with processes that run. */
const alive = [running, starting, unhealthy]
const idle = [created, exited, dead, removing]
/** Between alive and idle. */
const held = [restarting, paused, stopping]

const start = defineAction<AnyRow>()({
  ...hostAction('container', 'start'),
  icon: 'play',
  aliases: ['run', 'bring up'],
  blocked: [
    { when: { state: { in: alive } }, reason: 'running', already: true },
    { when: { state: { is: paused } }, reason: 'paused' },
  ],
})

const stop = defineAction<AnyRow>()({
  ...hostAction('container', 'stop'),
  icon: 'square',
  tone: 'bad',
  final: true,
  aliases: ['halt', 'kill', 'bring down'],
  blocked: [{ when: { state: { in: idle } }, reason: 'stopped', already: true }],
})

const restart = defineAction<AnyRow>()({
  ...hostAction('container', 'restart'),
  ...hostRollout,
  icon: 'refresh-cw',
  key: 'r',
  aliases: ['bounce', 'reboot container'],
})

const remove = defineAction<AnyRow>()({
  ...hostAction('container', 'remove'),
  icon: 'trash-2',
  tone: 'bad',
  final: true,
  aliases: ['delete', 'rm', 'clean up'],
  blocked: [{ when: { state: { in: [...alive, ...held] } }, reason: 'running' }],
})

const shell = defineAction<AnyRow>()({
  ...hostShell('container'),
  aliases: ['exec', 'terminal', 'console', 'attach'],
  blocked: [{ when: { state: { in: [...idle, ...held] } }, reason: 'stopped' }],
})

/** A container of docker or podman on a host. */
export const container = defineResource({
  ...hostDefaults('container'),
  name: 'container',
  icon: 'box',
  go: 'g z',
  family: 'host',
  aliases: ['docker', 'podman', 'compose', 'pods', 'images', 'boxes'],
  added,
  fields: {
    ...hostKinds,
    ref: { kind: 'text', hidden: true },
    engine: { kind: 'choice', options: ContainerEngine, words: true },
    image: { kind: 'text', show: 'wide' },
    state: {
      kind: 'choice',
      show: 'always',
      options: ContainerState,
      tones: {
        running: 'ok',
        starting: 'accent',
        unhealthy: 'bad',
        restarting: 'warn',
        dead: 'bad',
        paused: 'warn',
        stopping: 'accent',
        removing: 'accent',
        created: 'plain',
        exited: 'plain',
      },
      words: true,
    },
    health: {
      kind: 'choice',
      show: 'detail',
      options: ContainerHealth,
      tones: { healthy: 'ok', starting: 'accent', unhealthy: 'bad', none: 'muted' },
    },
    exit_code: { kind: 'number', show: 'wide', digits: 0, short: true, absentWhen: { exit_code: { is: null } } },
    project: { kind: 'text', aliases: ['compose'] },
    service: { kind: 'text', show: 'wide' },
    ports: { kind: 'text', show: 'wide' },
    since: { kind: 'instant' },
    restarts: { kind: 'number', show: 'wide', digits: 0, absentWhen: { restarts: { is: null } } },
    cpu: { kind: 'number', digits: 1, unit: 'percent', absentWhen: { cpu: { is: null } } },
    memory: { kind: 'bytes', aliases: ['mem'], absentWhen: { memory: { is: null } } },
  },
  columns: [
    ...['name', 'state', 'server_id', 'cpu', 'memory', 'since', 'project', 'engine', 'image', 'restarts'],
    ...['exit_code', 'ports', 'service', 'health'],
  ] as const,
  sort: { field: 'state', order: 'desc' },
  search: ['image', 'project', 'service', 'server_id'],
  facet: 'state',
  actions: { start, stop, restart, remove, shell },
  host: {
    collector: 'containers',
    parser: async () => (await import('./parse-containers.ts')).parseContainers,
    example: 'app',
    logs: 'container',
    // Stats take two seconds to read.
    shownMs: 10_000,
    onServer: ['image', 'state', 'since'],
    watchedMs: 60_000,
    commands: async () => (await import('./command-containers.ts')).containerCommand,
    shell(ref) {
      const parts = containerParts(ref)
      const bestShell = 'command -v bash >/dev/null 2>&1 && exec bash; exec sh'
      return parts && [parts.engine, 'exec', '-it', '--', parts.name, 'sh', '-c', bestShell]
    },
  },
})
