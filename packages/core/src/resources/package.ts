import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy, type Values } from '../define/index.ts'
import { instant } from '../schemas/index.ts'
import { hostAction, hostAdded, hostDefaults, hostKinds, hostNameOf, hostRollout } from './host.ts'
import { PackageManager, PackageState, packageName } from './host-options.ts'

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
    installed: { kind: 'text' },
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
    long: ['upgrade', 'upgrade-all'],
    command: (action, refs) =>
      action === 'upgrade' || action === 'upgrade-all' ? upgradeCommand(refs, action === 'upgrade-all') : null,
  },
})

/** What upgrades packages of a manager, and all of them; null: it upgrades only all. */
const programs: Readonly<Record<PackageManager, { named: readonly string[] | null; all: readonly string[] }>> = (() => {
  // Nobody is there to answer: a configuration file that was changed stays.
  const quiet = ['-o', 'Dpkg::Options::=--force-confdef', '-o', 'Dpkg::Options::=--force-confold']
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...quiet]
  const zypper = ['zypper', '--non-interactive', 'update']
  return {
    apt: { named: [...apt, 'install', '--only-upgrade', '-y'], all: [...apt, 'upgrade', '--with-new-pkgs', '-y'] },
    dnf: { named: ['dnf', 'upgrade', '-y'], all: ['dnf', 'upgrade', '-y'] },
    apk: { named: ['apk', 'upgrade'], all: ['apk', 'upgrade'] },
    pacman: { named: null, all: ['pacman', '-Su', '--noconfirm'] },
    zypper: { named: zypper, all: zypper },
  }
})()

/** The argument vector that upgrades packages by their refs, such as `apt/nginx`, or all of the first one’s manager; null if that isn’t possible. */
function upgradeCommand(refs: readonly string[], isAll: boolean): readonly string[] | null {
  const managers = new Set(refs.map((ref) => ref.slice(0, Math.max(0, ref.indexOf('/')))))
  const [word = ''] = managers
  if (managers.size !== 1 || !Object.hasOwn(programs, word)) return null
  const { named, all } = programs[word as PackageManager]
  if (isAll) return all
  const names = refs.map((ref) => ref.slice(word.length + 1))
  return named && names.every((name) => packageName.test(name)) ? [...named, '--', ...names] : null
}
