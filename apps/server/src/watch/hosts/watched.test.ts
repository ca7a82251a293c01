import { fullIn } from '@qd/core/resources'
import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../../../../tests/support/fake-clock.ts'
import type { HostKind, Said } from '../../act/hosts/readings.ts'
import { createWatchedHosts, type WatchedHosts } from './watched.ts'

const minute = 60_000

let clock: FakeClock
let hosts: WatchedHosts
/** What each host says; one without an entry doesn’t answer. */
let says: Map<number, Said>
let read: number[]
const feed = { heard: (_kind: string, _serverId: number, _said: Said) => {} }
/** What went into history. */
let kept: { serverId: number; series: string; value: number; at: number }[]

beforeEach(async () => {
  clock = createFakeClock()
  says = new Map()
  read = []
  let heard = (_kind: HostKind, _serverId: number, _said: Said) => {}
  const readings = {
    onRead(listen: typeof heard) {
      heard = listen
      return () => {}
    },
    async sample(kind: HostKind, serverId: number) {
      read.push(serverId)
      const said = says.get(serverId)
      if (!said) await new Promise<void>((resolve) => clock.after(30_000, resolve))
      heard(kind, serverId, said ?? { state: 'timed out' })
    },
  }
  kept = []
  const history = {
    host: (serverId: number, values: Iterable<readonly [string, number]>) =>
      void kept.push(...[...values].map(([series, value]) => ({ serverId, series, value, at: clock.now() }))),
  }
  feed.heard = (kind, serverId, said) => heard({ name: kind, host: {} as HostKind['host'] }, serverId, said)
  hosts = createWatchedHosts({ clock }, { hub: { connected: () => true }, readings, history })
  await hosts.engine.start()
})

const rows = (...states: string[]): Said => ({
  state: 'read',
  rows: states.map((state, index) => ({ name: `unit${index}.service`, state })),
  left: 0,
})
const watch = (ids: readonly number[], metrics = ['units_failed']) =>
  hosts.always(() => ids.map((serverId) => ({ serverId, metrics })))

/** How often hosts are read in so many ms. */
async function readsIn(ms: number): Promise<number> {
  const before = read.length
  await clock.advance(ms)
  return read.length - before
}

test('nothing is read while nothing is wanted; what is wanted is read every minute', async () => {
  says.set(1, rows('failed', 'active'))
  expect(await readsIn(10 * minute)).toBe(0)
  watch([1], ['units_failed', 'unit_down:unit0', 'unit_down:gone'])
  await clock.advance(minute)
  expect(hosts.of(1)).toEqual({ units_failed: 1 })
  expect(['unit_down:unit0', 'unit_down:gone'].map((metric) => hosts.valueOf(1, metric))).toEqual([1, 1])
  const reads = await readsIn(10 * minute)
  expect(reads).toBeGreaterThanOrEqual(9)
  expect(reads).toBeLessThanOrEqual(10)
})

test('what a host said counts for 2.5 min if it can’t be read again, and is read again with growing pauses', async () => {
  says.set(1, rows('failed'))
  watch([1])
  await clock.advance(minute)
  says.set(1, { state: 'failed' })
  await clock.advance(minute)
  expect(hosts.of(1)).toEqual({ units_failed: 1 })
  await clock.advance(2 * minute)
  expect(hosts.of(1)).toEqual({})
  expect(await readsIn(60 * minute)).toBeLessThan(10)
  says.set(1, rows('active'))
  await clock.advance(11 * minute)
  expect(hosts.of(1)).toEqual({ units_failed: 0 })
})

test('a host that refuses is unknown at once, and is asked again after ten minutes', async () => {
  says.set(1, rows('failed'))
  watch([1])
  await clock.advance(minute)
  says.set(1, { state: 'no permission' })
  await clock.advance(minute + 10_000)
  expect(hosts.of(1)).toEqual({})
  expect(await readsIn(9 * minute)).toBe(0)
  expect(await readsIn(2 * minute)).toBe(1)
})

test('hosts that don’t answer hold no others up', async () => {
  const silent = Array.from({ length: 60 }, (_, index) => index + 1)
  says.set(100, rows('failed'))
  watch([...silent, 100])
  await clock.advance(minute)
  expect(hosts.of(100)).toEqual({ units_failed: 1 })
})

test('what is read because it’s wanted goes into history; what is only looked at doesn’t', async () => {
  const { heard } = feed
  heard('unit', 1, rows('failed'))
  expect(kept).toEqual([])
  says.set(1, rows('failed', 'active'))
  watch([1], ['units_failed', 'unit_down:unit1'])
  await clock.advance(minute)
  expect(kept.map(({ serverId, series, value }) => [serverId, series, value])).toEqual([
    [1, 'units_failed', 1],
    [1, 'unit_down:unit1', 0],
  ])
  says.set(1, { state: 'failed' })
  kept.length = 0
  await clock.advance(10 * minute)
  expect(kept).toEqual([])
})

test('the use of the largest filesystems is kept every 15 min', async () => {
  const mounts = Array.from({ length: 30 }, (_, index) => ({ name: `/m${index}`, used: index, size: index }))
  const full = [
    { name: '/image', used: 100, size: 1_000, read_only: true },
    { name: '/a,b', used: 3, size: 999 },
    { name: '/new', used: null, size: 998 },
  ]
  says.set(1, { state: 'read', rows: [...full, ...mounts], left: 0 })
  watch([1], ['fs_used_max'])
  await clock.advance(31 * minute)
  const uses = kept.filter(({ series }) => series.startsWith('fs_used:'))
  expect(uses.slice(0, 16).map(({ series }) => series)).toEqual(
    Array.from({ length: 16 }, (_, index) => `fs_used:/m${29 - index}`),
  )
  const times = [...new Set(uses.map(({ at }) => at))]
  expect(times).toHaveLength(2 + Number(times.length === 3))
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(15 * minute)
})

test('a rule about one filesystem knows its use at each reading, which history keeps no more often', async () => {
  says.set(1, { state: 'read', rows: [{ name: '/var', used: 91, size: 9 }], left: 0 })
  watch([1], ['fs_used:/var'])
  await clock.advance(10 * minute)
  expect(hosts.valueOf(1, 'fs_used:/var')).toBe(91)
  expect(kept.filter(({ series }) => series === 'fs_used:/var')).toHaveLength(1)
})

test('a mount that is there once has no history, such as a pod’s; after the first reading', async () => {
  watch([1], ['fs_used_max'])
  for (let turn = 0; turn < 65; turn += 1) {
    const pods = Array.from({ length: 8 }, (_, index) => ({ name: `/pod${turn}-${index}`, used: 1, size: 1 }))
    const late = turn < 20 ? [] : [{ name: '/late', used: 2, size: 3 }]
    says.set(1, { state: 'read', rows: [{ name: '/', used: 50, size: 9 }, ...late, ...pods], left: 0 })
    await clock.advance(minute)
  }
  const of = (series: string) => kept.filter((one) => one.series === series).length
  expect(of('fs_used:/')).toBeGreaterThanOrEqual(4)
  // It missed two, and its own first one.
  expect(of('fs_used:/late')).toBe(of('fs_used:/') - 3)
  expect(kept.filter(({ series }) => series.startsWith('fs_used:/pod'))).toHaveLength(8)
})

test('a filesystem that grows a little tells nobody', async () => {
  const mount = (used: number) => ({ name: '/', used, size: 9, full_in: fullIn(1 / 86_400_000, used) })
  const told: number[] = []
  hosts.onChange((serverId) => void told.push(serverId))
  watch([1], ['fs_full_in'])
  says.set(1, { state: 'read', rows: [mount(89.5)], left: 0 })
  await clock.advance(minute)
  expect([told, hosts.of(1).fs_full_in]).toEqual([[1], 10 * 86_400])
  // 1 MiB of 40 GiB.
  says.set(1, { state: 'read', rows: [mount(89.502_5)], left: 0 })
  expect(await readsIn(3 * minute)).toBeGreaterThan(0)
  expect(told).toEqual([1])
})
