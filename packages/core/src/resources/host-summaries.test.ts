import { expect, test } from 'vitest'
import { mountPointsOf, mountsOf, summariesOf } from './host-summaries.ts'

const summaryOf = (metric: string, rows: Parameters<typeof summariesOf>[1], isWhole: boolean) =>
  summariesOf([metric], rows, isWhole).get(metric) ?? null

test('a read-only filesystem, such as the image of a system, isn’t the fullest', () => {
  const image = { name: '/', used: 100, inodes: 100, read_only: true }
  const rows = [image, { name: '/var', used: 42.26, inodes: 7, read_only: false }]
  expect([summaryOf('fs_used_max', rows, true), summaryOf('fs_inodes_max', rows, true)]).toEqual([42.3, 7])
  expect(mountPointsOf(rows)).toEqual({ fullest: '/var', filling: null })
  expect([summaryOf('fs_used_max', [image], true), mountPointsOf([image]).fullest]).toEqual([null, null])
})

test('the filesystem that is full first counts; where nothing is known of one, of the others', () => {
  const rows = [
    { name: '/', used: 90, full_in: null },
    { name: '/var', used: 50, full_in: 9_000 },
    { name: '/srv', used: 20, full_in: 8_000 },
    { name: '/image', used: 100, full_in: 1, read_only: true },
  ]
  expect([summaryOf('fs_full_in', rows, true), mountPointsOf(rows).filling]).toEqual([8_000, '/srv'])
  expect(summaryOf('fs_full_in', rows.slice(0, 1), true)).toBeNull()
  expect([...mountsOf(rows).values()]).toEqual(['fs_used:/', 'fs_used:/var', 'fs_used:/srv'])
})

test('filesystems in memory don’t take the place of disks', () => {
  const memory = Array.from({ length: 20 }, (_, index) => ({ name: `/m${index}`, type: 'tmpfs', used: 1, size: 64e9 }))
  const disk = { name: '/', type: 'ext4', used: 50, size: 40e9 }
  expect([...mountsOf([...memory, disk]).values()]).toEqual(['fs_used:/'])
})

test('nothing found in part of the records is unknown', () => {
  const rows = [{ name: 'a.service', state: 'active' }]
  expect([true, false].map((isWhole) => summaryOf('units_failed', rows, isWhole))).toEqual([0, null])
  expect([true, false].map((isWhole) => summaryOf('unit_down:b', rows, isWhole))).toEqual([1, null])
  expect(summaryOf('unit_down:a', rows, false)).toBe(0)
  expect(summaryOf('fs_full_in', [{ name: '/', full_in: 0 }], false)).toBe(0)
})

test('records are looked up by name once, however many are asked for; one that runs counts', () => {
  let looked = 0
  const rows = Array.from({ length: 50 }, (_, index) => ({
    get name() {
      looked += 1
      return index < 2 ? 'same' : `u${index}.service`
    },
    state: index % 2 === 0 ? 'exited' : 'running',
  }))
  const metrics = ['same', 'u2', 'u3', 'u3.service', 'gone'].map((name) => `container_down:${name}`)
  expect([...summariesOf(metrics, rows, true).values()]).toEqual([0, 1, 0, 0, 1])
  expect(looked).toBeLessThanOrEqual(2 * rows.length)
})

test('the use of one filesystem by its mount point; of one that isn’t mounted nothing is known', () => {
  const rows = [
    { name: '/', used: 33.3 },
    { name: '/var', used: 96.25, read_only: true },
    { name: '/nfs', used: null },
  ]
  const wanted = ['fs_used:/var', 'fs_used:/', 'fs_used:/nfs', 'fs_used:/gone']
  expect([...summariesOf(wanted, rows, true)]).toEqual([
    ['fs_used:/var', 96.25],
    ['fs_used:/', 33.3],
  ])
})

test('a container is up while it runs or starts, not while it is unhealthy or has ended; one of two engines is enough', () => {
  const states = ['running', 'starting', 'unhealthy', 'exited', 'restarting', 'paused']
  const rows = [...states.map((state) => ({ name: state, state })), { name: 'exited', state: 'running' }]
  const known = summariesOf(
    states.map((name) => `container_down:${name}`),
    rows,
    true,
  )
  expect([...known.values()]).toEqual([0, 0, 1, 0, 1, 1])
})

test('security updates are unknown where nothing says which they are', () => {
  const counted = (about: object) => summaryOf('updates_security', [{ name: 'a', state: 'security', ...about }], true)
  expect([{ manager: 'dnf' }, { manager: 'dnf', advisories: false }, { manager: 'apk' }].map(counted)).toEqual([
    1,
    null,
    null,
  ])
})
