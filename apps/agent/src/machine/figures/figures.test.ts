import { expect, test } from 'vitest'
import { createFakeMachine } from '../../../../../tests/support/agent/fake-machine.ts'
import { parseCpuModels, toCpuPercent } from './cpu.ts'
import { findVolumes, parseMounts, readDisks } from './disks.ts'
import { createTrafficReader, toRatePerSec } from './network.ts'
import { readPlatform, readVirtualization } from './platform.ts'

test.each([
  ['half busy', { busy: 10, total: 20 }, { busy: 15, total: 30 }, 50],
  ['no time passed', { busy: 10, total: 20 }, { busy: 10, total: 20 }, undefined],
  ['idle time that fell back', { busy: 10, total: 20 }, { busy: 40, total: 30 }, 100],
  ['counters that fell back', { busy: 10, total: 20 }, { busy: 1, total: 2 }, undefined],
])('CPU: %s', (_name, before, after, percent) => {
  expect(toCpuPercent(before, after)).toBe(percent)
})

test('CPU models: one text per distinct model', () => {
  const core = (id: number, model: string) => `processor\t: ${id}\nmodel name\t: ${model}\n`
  const text = [core(0, 'CPU A'), core(1, 'CPU B'), core(2, 'CPU A'), 'Hardware\t: board\n'].join('\n')
  expect(parseCpuModels(text, true)).toEqual(['CPU A 2 Virtual Core', 'CPU B 1 Virtual Core'])
  expect(parseCpuModels('processor\t: 0\nBogoMIPS\t: 50\n', false)).toEqual(['Unknown 1 Physical Core'])
})

test.each([
  ['bind mounts of one device count once', '/dev/sda1 / ext4 rw\n/dev/sda1 /etc/hosts ext4 rw\n', ['/']],
  ['several devices', '/dev/sda1 / ext4 rw\n/dev/sdb1 /data xfs rw\n', ['/', '/data']],
  [
    'memory, network and image file systems are no disks',
    'tmpfs /run tmpfs rw\nnas:/a /a nfs4 rw\n/dev/loop0 /s squashfs ro\n',
    [],
  ],
  ['blanks in a path', '/dev/sda1 /my\\040disk ext4 rw\n', ['/my disk']],
])('disks: %s', (_name, mounts, paths) => {
  const isLocal = paths.length > 0
  const volumes = findVolumes(parseMounts(mounts))
  expect(volumes.flatMap((volume) => volume.paths)).toEqual(isLocal ? paths : ['/'])
})

test('disks: all data sets of a ZFS pool are one volume, each of them once', () => {
  const mounts = parseMounts('tank / zfs rw\ntank/home /home zfs rw\ntank/home /bind zfs rw\nfast/db /db zfs rw\n')
  expect(findVolumes(mounts)).toEqual([
    { pool: 'tank', paths: ['/', '/home'] },
    { pool: 'fast', paths: ['/db'] },
  ])
})

test('disks: what the settings name counts once, too: two paths of one device, and a path on no mount of its own', () => {
  const mounts = parseMounts(
    '/dev/sda1 / ext4 rw\n/dev/sdb1 /data xfs rw\n/dev/sdb1 /srv/data xfs rw\nnas:/x /nas nfs4 rw\n',
  )
  const volumes = findVolumes(mounts, ['/', '/home', '/srv/data', '/data/sub', '/nas'])
  expect(volumes.flatMap((volume) => volume.paths)).toEqual(['/', '/srv/data', '/nas'])
})

test('disks: of two mounts at one path the last is the one that is there', () => {
  const mounts = '/dev/sda1 /data ext4 rw\n/dev/sdb1 /data ext4 rw\nrootfs / rootfs rw\n/dev/sdc1 / ext4 rw\n'
  expect(parseMounts(mounts).map(({ source }) => source)).toEqual(['/dev/sdb1', '/dev/sdc1'])
})

test('disks: the root file system where no device is known, and a disk that does not answer is left out and told', async () => {
  const machine = createFakeMachine({ '/proc/self/mounts': 'overlay / overlay rw\n' })
  machine.disks['/'] = { totalBytes: 10, usedBytes: 4 }
  expect(await readDisks(machine)).toEqual({ totalBytes: 10, usedBytes: 4, silent: [] })
  machine.files['/proc/self/mounts'] = '/dev/sda1 / ext4 rw\n/dev/sdb1 /dead ext4 rw\n'
  machine.disks['/dead'] = 'silent'
  expect(await readDisks(machine)).toEqual({ totalBytes: 10, usedBytes: 4, silent: ['/dead'] })
})

const interfaceLine = (name: string, bytes: number) => `${name}: ${bytes} 0 0 0 0 0 0 0 ${bytes} 0 0 0 0 0 0 0\n`

test('traffic: a bond and its bridge do not count their cards twice; a card plugged in later counts', async () => {
  const machine = createFakeMachine({
    '/proc/net/dev': ['lo', 'eno1', 'bond0', 'docker0'].map((name) => interfaceLine(name, 7)).join(''),
    '/sys/class/net/eno1/device/vendor': '',
    '/sys/class/net/bond0/lower_eno1/x': '',
  })
  const read = createTrafficReader(machine)
  expect(await read()).toEqual({ inBytes: 7, outBytes: 7 })
  machine.files['/proc/net/dev'] += interfaceLine('wlo1', 5)
  machine.files['/sys/class/net/wlo1/device/vendor'] = ''
  expect(await read()).toEqual({ inBytes: 12, outBytes: 12 })
})

test('traffic: in a container, where no card is visible, interfaces are told apart by name', async () => {
  const names = ['lo', 'eth0', 'docker0', 'veth1', 'tailscale0']
  const machine = createFakeMachine({ '/proc/net/dev': names.map((name) => interfaceLine(name, 3)).join('') })
  expect(await createTrafficReader(machine)()).toEqual({ inBytes: 3, outBytes: 3 })
})

test.each([
  [100, 300, 2000, 100],
  [300, 100, 1000, 0],
  [100, 300, 0, 0],
])('rate from %d to %d in %d ms is %d', (before, after, elapsedMs, rate) => {
  expect(toRatePerSec(before, after, elapsedMs)).toBe(rate)
})

test.each([
  ['Ubuntu', 'ID=ubuntu\nVERSION_ID="24.04"\n', { name: 'ubuntu', version: '24.04' }],
  ['Alpine', 'ID=alpine\nVERSION_ID=3.20.1\n', { name: 'alpine', version: '3.20.1' }],
  ['nothing', '', { name: 'linux', version: '' }],
])('platform: %s', async (_name, release, platform) => {
  expect(await readPlatform(createFakeMachine({ '/etc/os-release': release }))).toEqual(platform)
})

test.each([
  ['docker', { '/.dockerenv': '', '/sys/class/dmi/id/sys_vendor': 'QEMU' }],
  ['podman', { '/run/systemd/container': 'podman\n' }],
  ['lxc', { '/proc/1/cgroup': '1:name=systemd:/lxc/web\n' }],
  // A host of containers has lxcfs, too, but not over its own /proc.
  ['', { '/proc/self/mounts': 'lxcfs /var/lib/lxcfs fuse.lxcfs rw 0 0\n' }],
  ['', { '/proc/vz/version': '', '/proc/bc/0/x': '' }],
  ['kvm', { '/sys/class/dmi/id/sys_vendor': 'QEMU\n' }],
  ['vmware', { '/sys/class/dmi/id/sys_vendor': 'VMware, Inc.\n' }],
  [
    'hyperv',
    {
      '/sys/class/dmi/id/sys_vendor': 'Microsoft Corporation\n',
      '/sys/class/dmi/id/product_name': 'Virtual Machine\n',
    },
  ],
  ['kvm', { '/proc/cpuinfo': 'flags\t\t: fpu hypervisor lahf_lm\n' }],
  ['', { '/sys/class/dmi/id/sys_vendor': 'Dell Inc.\n', '/proc/cpuinfo': 'flags\t\t: fpu\n' }],
])('virtualization: %s', async (name, files) => {
  expect(await readVirtualization(createFakeMachine(files as Record<string, string>))).toBe(name)
})
