import { type PackageManager, packageName } from './host-options.ts'

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
export function upgradeCommand(action: string, refs: readonly string[]): readonly string[] | null {
  if (action !== 'upgrade' && action !== 'upgrade-all') return null
  const managers = new Set(refs.map((ref) => ref.slice(0, Math.max(0, ref.indexOf('/')))))
  const [word = ''] = managers
  if (managers.size !== 1 || !Object.hasOwn(programs, word)) return null
  const { named, all } = programs[word as PackageManager]
  if (action === 'upgrade-all') return all
  const names = refs.map((ref) => ref.slice(word.length + 1))
  return named && names.every((name) => packageName.test(name)) ? [...named, '--', ...names] : null
}
