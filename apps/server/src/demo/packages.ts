import { collectCommandOf } from '@qd/protocol/collectors'
import type { Machine } from './machines.ts'
import { noiseOf } from './noise.ts'

const collect = collectCommandOf('packages')

/** Updates that were published last: name, installed, available, and whether it’s a security update. */
const published = [
  ['openssl', '3.0.15-1~deb12u1', '3.0.17-1~deb12u2', true],
  ['libssl3', '3.0.15-1~deb12u1', '3.0.17-1~deb12u2', true],
  ['openssh-server', '1:9.2p1-2+deb12u3', '1:9.2p1-2+deb12u7', true],
  ['linux-image-amd64', '6.1.128-1', '6.1.140-1', true],
  ['curl', '7.88.1-10+deb12u8', '7.88.1-10+deb12u12', false],
  ['base-files', '12.4+deb12u9', '12.4+deb12u11', false],
  ['tzdata', '2025a-0+deb12u1', '2025b-0+deb12u1', false],
  ['vim-tiny', '2:9.0.1378-2', '2:9.0.1378-2+deb12u2', false],
] as const

const upgradeNamed = /apt-get .* install --only-upgrade -y -- (.+)$/
const upgradeAll = /apt-get .* upgrade --with-new-pkgs -y$/
const day = 86_400_000

/** Pending updates of the demo’s Debian and Ubuntu servers, which upgrades install until the demo ends. Answers a command about them; null for any other command. */
export function createPackages(): (machine: Machine, command: string, at: number) => string | null {
  const upgraded = new Map<number, { names: Set<string>; needsReboot: boolean }>()
  return (machine, command, at) => {
    const { id, host } = machine
    const isApt = host.platform === 'debian' || host.platform === 'ubuntu'
    const own = upgraded.get(id) ?? { names: new Set<string>(), needsReboot: id % 13 === 5 }
    upgraded.set(id, own)
    const pending = published.filter(
      ([name], index) => !own.names.has(name) && noiseOf(id, 40 + index) < (id % 3 === 0 ? 0.75 : 0.12),
    )
    if (command === collect) {
      if (!isApt) return '#@ facts\n#@ unsupported\n'
      const suites = (isSecurity: boolean) => (isSecurity ? 'stable-security' : 'stable')
      return [
        '#@ facts',
        ...(own.needsReboot ? ['reboot', 'why linux-image-amd64'] : []),
        'arch amd64',
        `lists ${Math.floor((at - noiseOf(id, 39) * day) / 1000)}`,
        '#@ apt',
        ...pending.map(
          ([name, installed, available, isSecurity]) =>
            `${name}/${suites(isSecurity)} ${available} amd64 [upgradable from: ${installed}]`,
        ),
        '',
      ].join('\n')
    }
    const [, words] = upgradeNamed.exec(command) ?? []
    if (!isApt || (words === undefined && !upgradeAll.test(command))) return null
    const asked = words?.replaceAll(/["']/g, '').split(' ')
    const done = pending.filter(([name]) => asked?.includes(name) ?? true)
    for (const [name] of done) own.names.add(name)
    own.needsReboot ||= done.some(([name]) => name.startsWith('linux-image'))
    return done
      .map(([name, installed, available]) => `Setting up ${name} (${available}) over (${installed}) ...\n`)
      .join('')
  }
}
