import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Why there is no real apt here; null if there is one. */
export function whyNoApt(): string | null {
  try {
    execFileSync('sh', ['-c', 'command -v apt-get && command -v apt && command -v dpkg-deb'])
    return null
  } catch {
    return 'no apt and dpkg-deb'
  }
}

/** A package to build: its dependencies, and what it says when it’s installed. */
interface Deb {
  name: string
  version: string
  more?: string
  /** A script that fails fails the upgrade. */
  postinst?: string
}

/** The real apt and dpkg with a root, sources, and packages in a folder, so that those of this machine are not touched. */
export interface AptRoot {
  /** What leads there: to be the first of `PATH`. */
  readonly bin: string
  /** Adds packages to a suite, such as `stable-security`, and refreshes the lists as an admin does. */
  publish(suite: string, debs: readonly Deb[]): void
  /** Installs packages as they are in the sources. */
  install(...names: readonly string[]): void
  /** Name and version of what is installed. */
  installed(): Readonly<Record<string, string>>
}

/** Makes one in this folder. */
export function createAptRoot(folder: string): AptRoot {
  const root = join(folder, 'root')
  const bin = join(folder, 'bin')
  const arch = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()
  for (const path of [
    'etc/apt/apt.conf.d',
    'etc/apt/preferences.d',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
  ])
    mkdirSync(join(root, path), { recursive: true })
  for (const path of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', 'var/lib/dpkg/triggers', 'var/log/apt'])
    mkdirSync(join(root, path), { recursive: true })
  mkdirSync(bin)
  writeFileSync(join(root, 'var/lib/dpkg/status'), '')
  const config = join(folder, 'apt.conf')
  writeFileSync(
    config,
    `Dir "${root}";
Dir::Bin::dpkg "/usr/bin/dpkg";
Dir::Bin::methods "/usr/lib/apt/methods";
Dir::State::status "${root}/var/lib/dpkg/status";
APT::Architecture "${arch}";
APT::Architectures { "${arch}"; };
APT::Sandbox::User "";
DPkg::Options { "--root=${root}"; "--force-not-root"; "--force-script-chrootless"; };
DPkg::Path "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
`,
  )
  for (const program of ['apt', 'apt-get', 'apt-config']) {
    writeFileSync(join(bin, program), `#!/bin/sh\nAPT_CONFIG='${config}' exec /usr/bin/${program} "$@"\n`)
    chmodSync(join(bin, program), 0o755)
  }
  const run = (file: string, ...args: readonly string[]) =>
    execFileSync(file, args, {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
      stdio: 'pipe',
    })

  function build(suite: string, { name, version, more = '', postinst }: Deb) {
    const at = join(folder, 'build', `${name}_${version}`)
    mkdirSync(join(at, 'DEBIAN'), { recursive: true })
    mkdirSync(join(at, 'usr/share', name), { recursive: true })
    writeFileSync(join(at, 'usr/share', name, 'version'), `${version}\n`)
    writeFileSync(
      join(at, 'DEBIAN/control'),
      `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: nobody\nDescription: a test\n${more}`,
    )
    if (postinst) writeFileSync(join(at, 'DEBIAN/postinst'), `#!/bin/sh\n${postinst}\n`, { mode: 0o755 })
    run('dpkg-deb', '--root-owner-group', '-b', at, join(folder, 'repo', suite))
  }

  const suites = new Set<string>()
  return {
    bin,
    publish(suite, debs) {
      const at = join(folder, 'repo', suite)
      mkdirSync(at, { recursive: true })
      for (const deb of debs) build(suite, deb)
      const files = execFileSync(
        'sh',
        [
          '-c',
          'for f in *.deb; do dpkg-deb -f "$f"; echo "Filename: ./$f"; echo "Size: $(stat -c %s "$f")"; echo "SHA256: $(sha256sum "$f" | cut -d" " -f1)"; echo; done',
        ],
        {
          cwd: at,
          encoding: 'utf8',
        },
      )
      writeFileSync(join(at, 'Packages'), files)
      const sum = createHash('sha256').update(files).digest('hex')
      writeFileSync(
        join(at, 'Release'),
        `Suite: ${suite}\nCodename: ${suite}\nDate: ${new Date().toUTCString()}\nSHA256:\n ${sum} ${files.length} Packages\n`,
      )
      suites.add(suite)
      const sources = [...suites].map((one) => `deb [trusted=yes] file:${join(folder, 'repo', one)} ./\n`)
      writeFileSync(join(root, 'etc/apt/sources.list'), sources.join(''))
      // Lists of the same second count as unchanged.
      rmSync(join(root, 'var/lib/apt/lists'), { recursive: true })
      mkdirSync(join(root, 'var/lib/apt/lists/partial'), { recursive: true })
      run('apt-get', 'update')
    },
    install: (...names) => void run('apt-get', 'install', '-y', ...names),
    installed() {
      const listed = run(
        'dpkg-query',
        `--admindir=${join(root, 'var/lib/dpkg')}`,
        '-W',
        '-f',
        `$${'{Package}'} $${'{Version}'} $${'{db:Status-Status}'}\n`,
      )
      const lines = listed.split('\n').filter((line) => line.endsWith(' installed'))
      return Object.fromEntries(lines.map((line) => line.split(' ').slice(0, 2)))
    },
  }
}
