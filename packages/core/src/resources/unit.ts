import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy } from '../define/index.ts'
import { instant } from '../schemas/index.ts'
import { hostAction, hostAdded, hostDefaults, hostKinds, hostRollout } from './host.ts'
import { UnitManager, UnitState, UnitType } from './host-options.ts'

const added = lazy(() => ({
  ...hostAdded(),
  description: z.string(),
  type: z.enum(UnitType),
  state: z.enum(UnitState),
  sub: z.string(),
  enabled: z.string(),
  since: instant.nullable(),
  memory: z.number().nullable(),
  restarts: z.number().nullable(),
  manager: z.enum(UnitManager),
}))

const needsSystemd = { when: { manager: { is: UnitManager.openrc } }, reason: 'needsSystemd' } as const
/** States of `systemctl is-enabled` that enabling doesn't change. */
const withoutInstall = ['static', 'generated', 'transient', 'indirect', 'alias']

const start = defineAction<AnyRow>()({
  ...hostAction('unit', 'start'),
  icon: 'play',
  aliases: ['run', 'bring up'],
  blocked: [
    needsSystemd,
    { when: { state: { is: UnitState.active } }, reason: 'active', already: true },
    { when: { enabled: { is: 'masked' } }, reason: 'masked' },
  ],
})

const stop = defineAction<AnyRow>()({
  ...hostAction('unit', 'stop'),
  icon: 'square',
  tone: 'bad',
  final: true,
  aliases: ['halt', 'kill', 'bring down'],
  blocked: [needsSystemd, { when: { state: { is: UnitState.inactive } }, reason: 'inactive', already: true }],
})

const restart = defineAction<AnyRow>()({
  ...hostAction('unit', 'restart'),
  ...hostRollout,
  icon: 'refresh-cw',
  key: 'r',
  aliases: ['bounce', 'reboot service'],
  blocked: [needsSystemd, { when: { enabled: { is: 'masked' } }, reason: 'masked' }],
})

const reload = defineAction<AnyRow>()({
  ...hostAction('unit', 'reload'),
  icon: 'refresh-cw',
  aliases: ['reread configuration'],
  blocked: [needsSystemd, { when: { state: { not: UnitState.active } }, reason: 'notActive' }],
})

const enable = defineAction<AnyRow>()({
  ...hostAction('unit', 'enable'),
  icon: 'power',
  aliases: ['start at boot'],
  blocked: [
    needsSystemd,
    { when: { enabled: { is: 'enabled' } }, reason: 'enabled', already: true },
    { when: { enabled: { is: 'masked' } }, reason: 'masked' },
    { when: { enabled: { in: withoutInstall } }, reason: 'notInstallable' },
  ],
})

const disable = defineAction<AnyRow>()({
  ...hostAction('unit', 'disable'),
  icon: 'ban',
  aliases: ['do not start at boot'],
  blocked: [
    needsSystemd,
    { when: { enabled: { is: 'disabled' } }, reason: 'disabled', already: true },
    { when: { enabled: { in: withoutInstall } }, reason: 'notInstallable' },
  ],
})

const actions = { start, stop, restart, reload, enable, disable }

/** A service, socket or timer of a host’s service manager. */
export const unit = defineResource({
  ...hostDefaults('unit'),
  name: 'unit',
  icon: 'layers',
  go: 'g y',
  family: 'host',
  aliases: ['services', 'systemd', 'systemctl', 'daemons', 'timers', 'sockets'],
  added,
  fields: {
    ...hostKinds,
    description: { kind: 'text', show: 'wide', short: true },
    type: { kind: 'choice', show: 'wide', options: UnitType },
    state: {
      kind: 'choice',
      show: 'always',
      options: UnitState,
      tones: {
        active: 'ok',
        activating: 'accent',
        reloading: 'accent',
        deactivating: 'accent',
        maintenance: 'warn',
        failed: 'bad',
        // Below active ones in the list: not running is what most units do.
        inactive: 'plain',
      },
      words: true,
    },
    sub: { kind: 'text', short: true },
    enabled: { kind: 'text', aliases: ['boot'], short: true },
    since: { kind: 'instant' },
    memory: { kind: 'bytes', aliases: ['mem'], absentWhen: { memory: { is: null } } },
    restarts: { kind: 'number', show: 'wide', digits: 0, absentWhen: { restarts: { is: null } } },
    manager: { kind: 'choice', options: UnitManager, hidden: true },
  },
  columns: ['name', 'state', 'server_id', 'sub', 'enabled', 'since', 'memory', 'restarts', 'type', 'description'],
  sort: { field: 'state', order: 'desc' },
  search: ['description', 'server_id'],
  facet: 'state',
  actions,
  host: {
    collector: 'units',
    parser: async () => (await import('./parse-units.ts')).parseUnits,
    example: 'nginx',
    logs: 'unit',
    short: (name) => name.replace(/\.service$/, ''),
    shownMs: 5_000,
    onServer: ['state', 'since'],
    watchedMs: 60_000,
    commands: async () => (action, names) =>
      Object.hasOwn(actions, action) ? ['systemctl', action, '--', ...names] : null,
  },
})
