import { defaultConfig } from '@qd/agent/config'
import { createMachine } from '@qd/agent/host'
import { createReporter } from '@qd/agent/report'
import { afterEach, describe, expect, test } from 'vitest'
import { type HostTree, makeHostTree, makeLargeHost, makeOddHost } from '../support/hosts/host-trees.ts'

let tree: HostTree | undefined
afterEach(() => tree?.close())

type Spaces = Readonly<Record<string, { totalBytes: number; usedBytes: number } | 'silent'>>

/** The real agent’s reports on the files of another machine; only the space of its disks is made up. */
const reportOn = async (from: HostTree, spaces: Spaces = {}) => {
  tree = from
  const machine = createMachine(from.root)
  const asked: string[] = []
  const diskSpaces = async (paths: readonly string[]) => {
    asked.push(...paths)
    return new Map(Object.entries(spaces).filter(([path]) => paths.includes(path)))
  }
  const reporter = createReporter({ ...machine, diskSpaces }, '0.1.0', () => defaultConfig)
  const host = await reporter.readHost()
  const state = await reporter.readState()
  return { host, state, asked, gaps: reporter.unmeasured(), reporter }
}
const kB = 1024n

describe('issue 36.1: a figure that is not known does not become a plausible one', () => {
  test('LXC: MemAvailable above MemTotal is the host’s, so what is free counts; a SwapFree below 0 is no swap at all', async () => {
    const { host, state, gaps } = await reportOn(makeOddHost('lxc'), { '/': { totalBytes: 500, usedBytes: 100 } })
    expect(host).toMatchObject({ mem_total: 62_500n * kB, swap_total: 0n, virtualization: 'lxc', platform: 'alpine' })
    expect(state).toMatchObject({ mem_used: 29_000n * kB, swap_used: 0n, disk_used: 100n })
    expect(gaps).toEqual({ metrics: ['swap'], disks: [] })
  })

  test('OpenVZ: no MemAvailable, so what is free and what could be; its interface and its root file system count', async () => {
    const { host, state, gaps } = await reportOn(makeOddHost('openvz'), { '/': { totalBytes: 900, usedBytes: 300 } })
    expect(host).toMatchObject({ mem_total: 262_144n * kB, virtualization: 'openvz', disk_total: 900n })
    expect(state).toMatchObject({
      mem_used: (262_144n - 140_000n - 82_144n - 8_000n + 2_144n) * kB,
      swap_used: 0n,
      net_in_transfer: 7_000_000_000n,
      net_out_transfer: 3_000_000_000n,
    })
    expect(gaps).toEqual({ metrics: [], disks: [] })
  })

  test('WSL 1: sockets are unknown, the start is worked out from the uptime', async () => {
    const { host, state, gaps } = await reportOn(makeOddHost('wsl1'), { '/': { totalBytes: 10, usedBytes: 5 } })
    expect(host).toMatchObject({
      virtualization: 'wsl',
      cpu: ['Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz 2 Virtual Core'],
    })
    expect(Math.abs(Date.now() / 1000 - 86_400 - Number(host.boot_time))).toBeLessThan(3600)
    expect(state).toMatchObject({ cpu: 30, mem_used: (16_675_140n - 8_640_536n - 34_032n - 188_576n + 17_720n) * kB })
    expect(state).toMatchObject({ swap_used: (50_331_648n - 49_923_136n) * kB, tcp_conn_count: 0n })
    expect(gaps).toEqual({ metrics: ['connections'], disks: [] })
  })

  test('OpenWrt: ports of the switch do not count beside the card below them; the overlay is the disk', async () => {
    const { host, state, asked, gaps } = await reportOn(makeOddHost('openwrt'), {
      '/overlay': { totalBytes: 90, usedBytes: 30 },
    })
    expect(host).toMatchObject({ cpu: ['MIPS 1004Kc V2.15 4 Physical Core'], disk_total: 90n, swap_total: 0n })
    expect(state).toMatchObject({ net_in_transfer: 9700n, net_out_transfer: 19_400n })
    expect(state.temperatures).toEqual([{ name: 'cpu-thermal', temperature: 58 }])
    expect(asked).toEqual(['/overlay'])
    expect(gaps).toEqual({ metrics: [], disks: [] })
  })

  test('a sensor that reads 65,261 °C is left out', async () => {
    const { state } = await reportOn(makeOddHost('pi4'))
    expect(state.temperatures).toEqual([{ name: 'cpu_thermal', temperature: 47.225 }])
  })

  test('a machine that tells nothing: each figure is named as unknown, and the reports go on', async () => {
    const { host, state, gaps } = await reportOn(makeOddHost('silent'))
    expect(host).toMatchObject({ mem_total: 0n, disk_total: 0n, boot_time: 0n, cpu: [] })
    expect(state).toMatchObject({ cpu: 0, mem_used: 0n, load1: 0, process_count: 0n })
    expect(gaps.metrics).toEqual([
      'cpu',
      'memory',
      'swap',
      'disk',
      'network',
      'load',
      'uptime',
      'connections',
      'processes',
    ])
  })

  test.each([
    ['proc/stat', 'cpu  a b c\n', 'cpu'],
    ['proc/stat', 'cpu  0 0 0 0 0 0 0 0 0 0\n', 'cpu'],
    ['proc/stat', 'cpu  1 2 3\n', 'cpu'],
    ['proc/meminfo', 'MemTotal: 1000 pages\nMemFree: 10 pages\n', 'memory'],
    ['proc/meminfo', 'MemTotal: 1000 kB\nMemFree: 2000 kB\nMemAvailable: 3000 kB\n', 'memory'],
    ['proc/meminfo', 'MemTotal: 0 kB\nMemFree: 0 kB\n', 'memory'],
    ['proc/meminfo', 'MemTotal: 99999999999999999999 kB\nMemFree: 10 kB\n', 'memory'],
    ['proc/meminfo', 'MemTotal: 1000 kB\nMemFree: 10 kB\nSwapTotal: 100 kB\n', 'swap'],
    ['proc/net/dev', 'eth0: many bytes\n', 'network'],
    ['proc/loadavg', 'nan nan nan 1/1 1\n', 'load'],
    ['proc/uptime', '-5.00 0\n', 'uptime'],
    ['proc/net/sockstat', 'sockets: used 1\n', 'connections'],
  ])('%s says %j: %s is unknown, all else is told', async (path, text, metric) => {
    const from = makeOddHost('pi3-32')
    from.write(path, text)
    if (path.endsWith('sockstat')) from.write('proc/net/sockstat6', '')
    const { gaps } = await reportOn(from, { '/': { totalBytes: 10, usedBytes: 1 } })
    expect(gaps.metrics.filter((name) => !text.includes('MemTotal') || name !== 'swap' || metric === 'swap')).toEqual([
      metric,
    ])
  })

  test('units: kB, and a number alone is kB as procps takes it; others count as what they say', async () => {
    const memory = async (text: string) => (await reportOn(makeHostTree({ 'proc/meminfo': text }))).host.mem_total
    expect(await memory('MemTotal: 10 kB\nMemFree: 1 kB\n')).toBe(10_240n)
    expect(await memory('MemTotal:\t10\nMemFree:\t1\n')).toBe(10_240n)
    expect(await memory('MemTotal: 2 MB\nMemFree: 1 MB\r\n')).toBe(2n * 2n ** 20n)
  })

  test('a whole that changes is reported before the parts of it', async () => {
    const from = makeOddHost('pi3-32')
    const { reporter } = await reportOn(from, { '/': { totalBytes: 10, usedBytes: 1 } })
    expect(reporter.isHostOutdated()).toBe(false)
    from.write('proc/meminfo', 'MemTotal: 500000 kB\nMemFree: 100000 kB\nMemAvailable: 400000 kB\nSwapTotal: 0 kB\n')
    await reporter.readState()
    expect(reporter.isHostOutdated()).toBe(true)
    await reporter.readHost()
    expect(reporter.isHostOutdated()).toBe(false)
  })

  test('300 disks and 60 interfaces: all of them counted, the sensors of the board before those of disks', async () => {
    const disks = Array.from({ length: 300 }, (_, n) => [`/mnt/disk ${n}`, { totalBytes: 10, usedBytes: 3 }] as const)
    const { host, state } = await reportOn(makeLargeHost({ disks: 300, interfaces: 60 }), Object.fromEntries(disks))
    expect(host.disk_total).toBe(3000n)
    expect(state).toMatchObject({ disk_used: 900n, net_in_transfer: 600n, net_out_transfer: 1200n })
    expect(state.temperatures).toHaveLength(32)
    expect(state.temperatures[0]).toMatchObject({ name: 'coretemp' })
  })
})

describe('issue 36.3: a pool or device counts once, as a whole', () => {
  const spaces = {
    '/': { totalBytes: 1000, usedBytes: 0 },
    '/tank/a': { totalBytes: 1300, usedBytes: 300 },
    '/tank/b': { totalBytes: 1000, usedBytes: 0 },
    '/srv/export': { totalBytes: 1300, usedBytes: 300 },
    '/db': { totalBytes: 50, usedBytes: 40 },
    '/boot': { totalBytes: 7, usedBytes: 2 },
    '/mnt/boot': { totalBytes: 7, usedBytes: 2 },
  }
  test('ZFS: what all data sets hold, and what is free once; a device under two names once', async () => {
    const { host, state } = await reportOn(makeOddHost('zfs'), spaces)
    expect(host.disk_total).toBe(1300n + 50n + 7n)
    expect(state.disk_used).toBe(300n + 40n + 2n)
  })

  test('of a pool one of whose data sets does not respond, nothing is told but that', async () => {
    const { host, state, gaps } = await reportOn(makeOddHost('zfs'), { ...spaces, '/tank/a': 'silent' })
    expect([host.disk_total, state.disk_used]).toEqual([57n, 42n])
    expect(gaps.disks).toEqual(['/tank/a'])
  })

  test('btrfs subvolumes are one device', async () => {
    const { asked } = await reportOn(makeOddHost('rk3588'))
    expect(asked).toEqual(['/'])
  })
})

test.each([
  ['pi4', ['Cortex-A72 4 Physical Core']],
  ['pi3-32', ['Cortex-A53 4 Physical Core']],
  ['rk3588', ['Cortex-A55 4 Physical Core', 'Cortex-A76 4 Physical Core']],
  ['arm-new', ['FriendlyElec NanoPi R9 2 Physical Core']],
])('issue 36.4: the processor of %s has a name', async (name, cpu) => {
  expect((await reportOn(makeOddHost(name))).host.cpu).toEqual(cpu)
})
