import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy } from '../define/index.ts'
import { instant } from '../schemas/index.ts'
import { hostAction, hostAdded, hostDefaults, hostKinds } from './host.ts'
import { ProcessState } from './host-options.ts'

const added = lazy(() => ({
  ...hostAdded(),
  ref: z.string(),
  pid: z.int(),
  parent: z.int(),
  program: z.string(),
  user: z.string(),
  state: z.enum(ProcessState),
  kernel: z.boolean(),
  cpu: z.number().nullable(),
  memory: z.number().nullable(),
  threads: z.number().nullable(),
  since: instant.nullable(),
  cpu_time: z.number().nullable(),
  command: z.string(),
  tree: z.string(),
}))

/** Signals that a person sends to a process that isn’t to be killed at once. */
const Signal = {
  term: 'TERM',
  hup: 'HUP',
  int: 'INT',
  quit: 'QUIT',
  usr1: 'USR1',
  usr2: 'USR2',
  stop: 'STOP',
  cont: 'CONT',
} as const

const unsignaled = [
  { when: { kernel: { is: true } }, reason: 'kernel' },
  { when: { state: { is: ProcessState.zombie } }, reason: 'zombie' },
] as const

const signal = defineAction<AnyRow>()({
  ...hostAction('process', 'signal'),
  icon: 'send',
  tone: 'bad',
  key: 'S',
  final: true,
  aliases: ['terminate', 'end process', 'pause process', 'sigterm'],
  blocked: unsignaled,
  args: {
    input: () => z.strictObject({ signal: z.enum(Signal) }),
    initial: { signal: Signal.term },
    fields: { signal: { kind: 'choice', options: Signal, flag: true } },
    form: { signal: ['signal'] },
  },
})

const kill = defineAction<AnyRow>()({
  ...hostAction('process', 'kill'),
  icon: 'ban',
  tone: 'bad',
  key: 'K',
  final: true,
  typed: true,
  aliases: ['sigkill', 'kill -9', 'force quit'],
  blocked: unsignaled,
})

/** A process of a host. */
export const process = defineResource({
  ...hostDefaults('process'),
  // A PID is another process on each host.
  together: false,
  name: 'process',
  icon: 'activity',
  go: 'g j',
  family: 'host',
  aliases: ['processes', 'top', 'htop', 'ps', 'pid'],
  added,
  fields: {
    ...hostKinds,
    ref: { kind: 'text', hidden: true },
    pid: { kind: 'number', show: 'detail', digits: 0, code: true },
    parent: { kind: 'number', show: 'detail', digits: 0, code: true, aliases: ['ppid'] },
    program: { kind: 'text', show: 'detail' },
    user: { kind: 'text', short: true },
    state: {
      kind: 'choice',
      options: ProcessState,
      tones: { running: 'ok', sleeping: 'plain', idle: 'muted', blocked: 'warn', stopped: 'warn', zombie: 'bad' },
      words: true,
    },
    kernel: { kind: 'flag', show: 'detail' },
    cpu: { kind: 'number', show: 'always', digits: 0, unit: 'percent', help: true },
    memory: {
      kind: 'bytes',
      show: 'always',
      aliases: ['mem', 'rss'],
      absentWhen: { memory: { is: null } },
      help: true,
    },
    threads: { kind: 'number', show: 'detail', digits: 0, absentWhen: { threads: { is: null } } },
    since: { kind: 'instant' },
    cpu_time: { kind: 'duration', show: 'detail', aliases: ['time'], absentWhen: { cpu_time: { is: null } } },
    command: {
      kind: 'text',
      aliases: ['args'],
      absentWhen: { kernel: { is: true } },
      withheldWhen: { command: { is: '' } },
      help: true,
      short: true,
    },
    tree: { kind: 'text', show: 'wide', help: true },
  },
  columns: ['name', 'cpu', 'memory', 'server_id', 'user', 'state', 'since', 'command', 'tree'],
  sort: { field: 'cpu', order: 'desc', ties: 'memory' },
  search: ['user', 'command', 'server_id'],
  facet: 'state',
  actions: { signal, kill },
  host: {
    collector: 'processes',
    parser: async () => (await import('./parse-processes.ts')).parseProcesses,
    example: '1234',
    short: (name) => /\[(\d+)\]$/.exec(name)?.[1] ?? name,
    shownMs: 2_000,
    confidential: ['command'],
    commands: async () => (await import('./signal-processes.ts')).signalCommand,
  },
})
