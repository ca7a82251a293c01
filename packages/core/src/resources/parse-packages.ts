import type { ParsedRows } from '../define/index.ts'
import { PackageManager, PackageState, packageName } from './host-options.ts'
import { boundedRows, cut, sectionsOf } from './parse-collected.ts'

/** The record of a host that needs a reboot. */
const rebootName = 'reboot-required'

interface Update {
  name: string
  installed: string
  available: string
  source: string
  isSecurity: boolean
}

const longest = { text: 200, version: 100 }

/** Reads what the collector `packages` printed: pending updates, and a record if the host needs a reboot. */
export function parsePackages(text: string): ParsedRows {
  const sections = sectionsOf(text)
  const manager = Object.values(PackageManager).find((name) => sections.has(name))
  if (!manager) return { state: sections.has('unsupported') ? 'not supported' : 'failed' }
  const failure = sections.get('error')
  if (failure !== undefined)
    return {
      state: /permission denied|must be root|superuser|cache-only enabled/i.test(failure) ? 'no permission' : 'failed',
    }
  return boundedRows(rowsOf(manager, sections))
}

function* rowsOf(manager: PackageManager, sections: ReadonlyMap<string, string>) {
  const { arch, listsAt, isReboot, why } = readFacts(sections.get('facts') ?? '')
  const row = (name: string, state: string, values: Omit<Update, 'name' | 'isSecurity'>) => ({
    ref: `${manager}/${name}`,
    name,
    state,
    installed: cut(values.installed, longest.version),
    available: cut(values.available, longest.version),
    source: cut(values.source, longest.text),
    lists_at: listsAt,
    manager,
    ...(sections.get('advisories')?.trim() === '' && { advisories: false }),
  })
  if (isReboot) yield row(rebootName, PackageState.reboot, { installed: '', available: '', source: why.join(', ') })
  for (const { name, isSecurity, ...values } of readers[manager](sections.get(manager) ?? '', sections, arch))
    if (packageName.test(name)) yield row(name, isSecurity ? PackageState.security : PackageState.update, values)
}

function readFacts(text: string) {
  const values = (key: string) =>
    [...text.matchAll(new RegExp(`^${key} (.+)$`, 'gm'))].map(([, value = '']) => value.trim())
  const seconds = Number(values('lists')[0])
  return {
    arch: values('arch')[0] ?? '',
    listsAt: seconds > 0 && seconds < 8.64e12 ? new Date(seconds * 1000).toISOString() : null,
    isReboot: /^reboot$/m.test(text),
    why: values('why'),
  }
}

type Reader = (list: string, sections: ReadonlyMap<string, string>, arch: string) => Iterable<Update>

const readers: Readonly<Record<PackageManager, Reader>> = {
  /** `openssl/jammy-updates,jammy-security 3.0.2-0ubuntu1.18 amd64 [upgradable from: 3.0.2-0ubuntu1.15]` */
  *apt(list, _sections, own) {
    for (const [, name = '', suites = '', available = '', arch = '', installed = ''] of list.matchAll(
      /^([^/\s]+)\/(\S+) (\S+) (\S+) \[upgradable from: ([^\]\s]+)\]/gm,
    )) {
      const isForeign = arch !== own && arch !== 'all' && own !== ''
      const isSecurity = suites.split(',').some((suite) => /security/i.test(suite))
      yield { name: isForeign ? `${name}:${arch}` : name, installed, available, source: suites, isSecurity }
    }
  },

  /** `openssl.x86_64    1:3.2.2-3.fc41    updates`, up to the list of obsoleted packages. */
  *dnf(list, sections) {
    const installed = new Map<string, string>()
    for (const line of (sections.get('installed') ?? '').split('\n')) {
      const [name = '', version = ''] = line.split(' ')
      installed.set(name, version)
    }
    const fixes = new Set((sections.get('security') ?? '').split(/\s+/))
    for (const line of list.split('\n')) {
      if (/^obsoleting/i.test(line)) return
      const [, name = '', epoch = '', available = '', source = ''] =
        /^(\S+\.\w+) +(\d+:)?(\S+) +(\S+) *$/.exec(line) ?? []
      if (name === '' || !available.includes('-')) continue
      const dot = name.lastIndexOf('.')
      const [base, arch] = [name.slice(0, dot), name.slice(dot + 1)]
      const isSecurity = ['', epoch].some((prefix) => fixes.has(`${base}-${prefix}${available}.${arch}`))
      yield { name, installed: installed.get(name) ?? '', available: `${epoch}${available}`, source, isSecurity }
    }
  },

  /** `busybox-1.36.1-r4    < 1.36.1-r5` */
  *apk(list) {
    for (const [, name = '', installed = '', available = ''] of list.matchAll(/^(\S+?)-(\d[^\s-]*-r\d+) +< +(\S+)/gm))
      yield { name, installed, available, source: '', isSecurity: false }
  },

  /** `linux 6.9.1.arch1-1 -> 6.9.2.arch1-1`; ignored ones aren’t upgraded. */
  *pacman(list) {
    for (const [, name = '', installed = '', available = ''] of list.matchAll(/^(\S+) (\S+) -> (\S+)$/gm))
      yield { name, installed, available, source: '', isSecurity: false }
  },

  /** `v  | Update repository | vim | 9.0.1-1 | 9.1.0-1 | x86_64` */
  *zypper(list) {
    for (const line of list.split('\n')) {
      const [mark, source = '', name = '', installed = '', available = ''] = line.split('|').map((cell) => cell.trim())
      if (mark === 'v' && name !== '' && available !== '')
        yield { name, installed, available, source, isSecurity: false }
    }
  },
}
