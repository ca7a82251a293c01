import { expect, test } from 'vitest'
import { fullestOf, summaryOf } from './host-summaries.ts'

test('a read-only filesystem, such as the image of a system, isn’t the fullest', () => {
  const image = { name: '/', used: 100, inodes: 100, read_only: true }
  const rows = [image, { name: '/var', used: 42.26, inodes: 7, read_only: false }]
  expect([summaryOf('fs_used_max', rows, true), summaryOf('fs_inodes_max', rows, true)]).toEqual([42.3, 7])
  expect(fullestOf(rows)).toBe('/var')
  expect([summaryOf('fs_used_max', [image], true), fullestOf([image])]).toEqual([null, null])
})

test('nothing found in part of the records is unknown', () => {
  const rows = [{ name: 'a.service', state: 'active' }]
  expect([true, false].map((isWhole) => summaryOf('units_failed', rows, isWhole))).toEqual([0, null])
  expect([true, false].map((isWhole) => summaryOf('unit_down:b', rows, isWhole))).toEqual([1, null])
  expect(summaryOf('unit_down:a', rows, false)).toBe(0)
})
