import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy, type Values } from '../define/index.ts'
import { instant } from '../schemas/index.ts'
import { hostAction, hostAdded, hostDefaults, hostKinds, hostNameOf, hostRollout } from './host.ts'
import { PackageManager, PackageState } from './host-options.ts'

const added = lazy(() => ({
  ...hostAdded(),
  ref: z.string(),
  state: z.enum(PackageState),
  installed: z.string(),
  available: z.string(),
  source: z.string(),
  lists_at: instant.nullable(),
  manager: z.enum(PackageManager),
}))

const upgrade = defineAction<AnyRow>()({
  ...hostAction('package', 'upgrade'),
  ...hostRollout,
  icon: 'circle-arrow-up',
  key: 'u',
  final: true,
  aliases: ['update', 'patch', 'install updates'],
  blocked: [
    { when: { state: { is: PackageState.reboot } }, reason: 'reboot' },
    { when: { manager: { is: PackageManager.pacman } }, reason: 'wholeOnly' },
  ],
})

const everything = hostAction('package', 'upgrade-all')

const upgradeAll = defineAction<AnyRow>()({
  ...everything,
  ...hostRollout,
  icon: 'circle-arrow-up',
  key: 'U',
  final: true,
  aliases: ['dist-upgrade', 'full upgrade', 'patch everything'],
  wire: {
    ...everything.wire,
    // One record stands for all of its host.
    body: (rows: readonly AnyRow[], args: Values) => ({
      targets: [...new Map(rows.map((row) => [row.server_id, row])).values()].map((row) => ({
        server_id: row.server_id,
        name: hostNameOf(row),
      })),
      ...args,
    }),
  },
})

/** A pending update of a host’s package manager, or the reboot that the last ones need. */
export const packages = defineResource({
  ...hostDefaults('package'),
  name: 'package',
  icon: 'circle-arrow-up',
  family: 'host',
  aliases: ['updates', 'patches', 'apt', 'dnf', 'security updates', 'reboot required'],
  added,
  fields: {
    ...hostKinds,
    ref: { kind: 'text', hidden: true },
    state: {
      kind: 'choice',
      show: 'always',
      options: PackageState,
      tones: { update: 'plain', security: 'warn', reboot: 'warn' },
      words: true,
    },
    installed: { kind: 'text', short: true },
    available: { kind: 'text' },
    source: { kind: 'text', show: 'wide', help: true },
    lists_at: { kind: 'instant', show: 'wide', help: true, short: true, aliases: ['lists'] },
    manager: { kind: 'choice', show: 'detail', options: PackageManager },
  },
  columns: ['name', 'state', 'server_id', 'installed', 'available', 'source', 'lists_at', 'manager'],
  sort: { field: 'state', order: 'desc' },
  search: ['source', 'server_id'],
  facet: 'state',
  actions: { upgrade, 'upgrade-all': upgradeAll },
  host: {
    collector: 'packages',
    parser: async () => (await import('./parse-packages.ts')).parsePackages,
    example: 'openssl',
    shownMs: 600_000,
    onServer: ['available', 'state'],
    watchedMs: 6 * 3_600_000,
    long: ['upgrade', 'upgrade-all'],
    commands: async () => (await import('./upgrade-packages.ts')).upgradeCommand,
  },
})
