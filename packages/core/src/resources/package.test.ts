import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ParsedRows } from '../define/index.ts'
import { packages } from './index.ts'

const command = await packages.host!.commands()
const parse = await packages.host!.parser()
const rowsOf = (parsed: ParsedRows) => (parsed.state === 'read' ? parsed.rows : [])
const read = (text: string) => rowsOf(parse(text))
const brief = (text: string) =>
  read(text).map(({ name, state, installed, available, source }) => [name, state, installed, available, source])

/** Recorded on Debian 12 (apt 2.6) and Ubuntu 22.04’s way to name suites. */
const apt = `#@ facts
reboot
why linux-image-6.1.0-28-amd64
why libc6
arch amd64
lists 1795187734
#@ apt
apt-transport-https/oldstable-security 2.6.2 all [upgradable from: 2.6.1]
bash/oldstable 5.2.15-2+b13 amd64 [upgradable from: 5.2.15-2+b8]
libc6/jammy-updates,jammy-security 2.36-9+deb12u13 i386 [upgradable from: 2.36-9+deb12u10]
`

describe('updates of apt', () => {
  test('each is a record with its versions and suites; security is what comes from a suite of that name', () => {
    expect(brief(apt)).toEqual([
      ['reboot-required', 'reboot', '', '', 'linux-image-6.1.0-28-amd64, libc6'],
      ['apt-transport-https', 'security', '2.6.1', '2.6.2', 'oldstable-security'],
      ['bash', 'update', '5.2.15-2+b8', '5.2.15-2+b13', 'oldstable'],
      ['libc6:i386', 'security', '2.36-9+deb12u10', '2.36-9+deb12u13', 'jammy-updates,jammy-security'],
    ])
    expect(read(apt)[1]).toMatchObject({
      ref: 'apt/apt-transport-https',
      lists_at: '2026-11-20T15:15:34.000Z',
      manager: 'apt',
    })
  })

  test('a host without updates has none, and one that doesn’t know when its lists were refreshed says so', () => {
    expect(parse('#@ facts\narch amd64\n#@ apt\n\n')).toEqual({ state: 'read', rows: [], left: 0 })
    expect(read(apt.replace(/lists.*/, ''))[0]).toMatchObject({ lists_at: null })
  })

  test('what is no name of a package is no record', () => {
    const hostile = ['--help', 'nginx-', 'a;b', '$(id)', "x'y", 'a*', '\u001b[31m', '‮x', 'a=1', 'x'.repeat(300)]
    const line = (name: string) => `${name}/stable 2 amd64 [upgradable from: 1]`
    expect(brief(`#@ facts\narch amd64\n#@ apt\n${[...hostile, 'g++'].map(line).join('\n')}\n`)).toEqual([
      ['g++', 'update', '1', '2', 'stable'],
    ])
  })

  test('a manager that fails is no empty list', () => {
    expect(parse('#@ facts\n#@ apt\n#@ error\nE: Could not open file - open (13: Permission denied)\n')).toEqual({
      state: 'no permission',
    })
    expect(parse('#@ facts\n#@ apt\n#@ error\nE: The list of sources could not be read.\n')).toEqual({
      state: 'failed',
    })
    expect(parse('#@ facts\n#@ unsupported\n')).toEqual({ state: 'not supported' })
    expect(parse('')).toEqual({ state: 'failed' })
  })
})

describe('updates of other managers, written by hand from their documentation', () => {
  test('dnf: advisories say which are security updates, rpm what is installed', () => {
    const dnf = `#@ facts
reboot
why kernel
lists 1795187734
#@ dnf

openssl.x86_64                    1:3.2.2-3.fc41                updates
vim-minimal.x86_64                2:9.1.785-1.fc41              updates
Obsoleting Packages
grub2.x86_64                      1:2.12-1.fc41                 updates
#@ installed
openssl.x86_64 3.2.1-2.fc41
#@ security
FEDORA-2026-1a2b3c Important/Sec. openssl-1:3.2.2-3.fc41.x86_64
`
    expect(brief(dnf)).toEqual([
      ['reboot-required', 'reboot', '', '', 'kernel'],
      ['openssl.x86_64', 'security', '3.2.1-2.fc41', '1:3.2.2-3.fc41', 'updates'],
      ['vim-minimal.x86_64', 'update', '', '2:9.1.785-1.fc41', 'updates'],
    ])
    const advised = (said: string) => {
      const parsed = parse(`${dnf}#@ advisories\n${said}`)
      return 'rows' in parsed && parsed.rows.map(({ advisories }) => advisories)
    }
    expect(advised('')).toEqual([false, false, false])
    expect(advised('FEDORA-2026-9d bugfix vim-2:9.1.700-1.fc41.x86_64\n')).toEqual([undefined, undefined, undefined])
    expect(parse("#@ facts\n#@ dnf\n#@ error\nCache-only enabled but no cache for 'updates'\n")).toEqual({
      state: 'no permission',
    })
  })

  test('apk', () => {
    const apk = `#@ facts
#@ apk
Installed:                                Available:
busybox-1.36.1-r4                       < 1.36.1-r5
py3-six-1.16.0-r8                       < 1.16.0-r9
`
    expect(brief(apk)).toEqual([
      ['busybox', 'update', '1.36.1-r4', '1.36.1-r5', ''],
      ['py3-six', 'update', '1.16.0-r8', '1.16.0-r9', ''],
    ])
  })

  test('pacman, without ignored ones', () => {
    const pacman = '#@ facts\n#@ pacman\nlinux 6.9.1.arch1-1 -> 6.9.2.arch1-1\nvim 9.1-1 -> 9.1-2 [ignored]\n'
    expect(brief(pacman)).toEqual([['linux', 'update', '6.9.1.arch1-1', '6.9.2.arch1-1', '']])
  })

  test('zypper', () => {
    const zypper = `#@ facts
#@ zypper
S  | Repository        | Name | Current Version | Available Version | Arch
---+-------------------+------+-----------------+-------------------+-------
v  | Update repository | vim  | 9.0.1-1         | 9.1.0-1           | x86_64
`
    expect(brief(zypper)).toEqual([['vim', 'update', '9.0.1-1', '9.1.0-1', 'Update repository']])
  })
})

describe('upgrades', () => {
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get']
  test('are argument vectors of the host’s manager, names behind --', () => {
    const named = command('upgrade', ['apt/bash', 'apt/libc6:i386'])
    expect(named?.slice(0, 3)).toEqual(apt)
    expect(named?.slice(-6)).toEqual(['install', '--only-upgrade', '-y', '--', 'bash', 'libc6:i386'])
    expect(command('upgrade', ['dnf/vim.x86_64'])).toEqual(['dnf', 'upgrade', '-y', '--', 'vim.x86_64'])
    expect(command('upgrade', ['apk/busybox'])).toEqual(['apk', 'upgrade', '--', 'busybox'])
    expect(command('upgrade', ['zypper/vim'])).toEqual(['zypper', '--non-interactive', 'update', '--', 'vim'])
  })

  test('of all take no names', () => {
    expect(command('upgrade-all', ['apt/bash'])?.slice(-3)).toEqual(['upgrade', '--with-new-pkgs', '-y'])
    expect(command('upgrade-all', ['pacman/reboot-required'])).toEqual(['pacman', '-Su', '--noconfirm'])
  })

  test('run nothing for what isn’t possible', () => {
    expect(command('upgrade', ['pacman/linux'])).toBeNull()
    for (const names of [
      [],
      ['bash'],
      ['toString/bash'],
      ['apt/bash', 'dnf/vim'],
      ['apt/--help'],
      ['apt/bash-'],
      ['apt/a b'],
      ['apt/'],
    ])
      expect(command('upgrade', names)).toBeNull()
    expect(command('remove', ['apt/bash'])).toBeNull()
  })

  test('10,000 names: what comes through is a name of a package', () => {
    const odd = fc.constantFrom(
      '-',
      '--',
      '=',
      '/',
      '*',
      ';',
      '$(id)',
      '`',
      "'",
      '"',
      '\n',
      '\u001b[31m',
      '\u202e',
      ' ',
    )
    const name = fc.array(fc.oneof(fc.stringMatching(/^[a-z0-9.+:_-]{1,6}$/), fc.string(), odd), { maxLength: 4 })
    fc.assert(
      fc.property(name, (parts) => {
        const argv = command('upgrade', [`apt/${parts.join('')}`])
        return argv === null || (argv.at(-2) === '--' && /^[a-z0-9][a-z0-9.+:_-]*(?<!-)$/i.test(argv.at(-1) ?? ''))
      }),
      { numRuns: 10_000 },
    )
  })

  test('of all are sent once for each server', () => {
    const row = (server_id: number, name: string) => ({ id: 0, server_id, name, ref: `apt/${name}` })
    const rows = [row(1, 'bash'), row(1, 'vim'), row(2, 'vim')]
    expect(packages.actions['upgrade-all'].wire.body?.(rows, { canary: 1 })).toEqual({
      targets: [
        { server_id: 1, name: 'apt/vim' },
        { server_id: 2, name: 'apt/vim' },
      ],
      canary: 1,
    })
  })
})
