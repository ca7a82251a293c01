import { cron, server } from '@qd/core/resources'
import { columnsFor } from '@qd/core/view'
import { expect, test } from 'vitest'
import { markWidth, placeColumns } from './columns.ts'

const fields = (room: number, resource: typeof server | typeof cron = server) =>
  placeColumns(resource, columnsFor(resource, 'wide'), room).map(({ field }) => field)

test('all columns at 1280 px, filling it exactly', () => {
  const placed = placeColumns(server, columnsFor(server, 'wide'), 1280)
  expect(placed.map(({ field }) => field)).toEqual(columnsFor(server, 'wide').map(({ field }) => field))
  expect(placed.reduce((sum, { width }) => sum + width, markWidth)).toBe(1280)
})

test('at 1280 px a name of 12 letters leaves room for why the server is not well', () => {
  const [name] = placeColumns(server, columnsFor(server, 'wide'), 1280, { title: 110 })
  expect(name!.width).toBeGreaterThanOrEqual(110 + 140)
})

test('beside an open panel: the name with its cause, and the metrics that may be at fault', () => {
  const placed = placeColumns(server, columnsFor(server, 'wide'), 640, { givesWay: true, title: 110 })
  expect(placed.map(({ field }) => field)).toEqual(['name', 'cpu', 'memory', 'disk'])
  expect(placed[0]!.width).toBeGreaterThanOrEqual(110 + 136)
})

test('an IPv4 address in full, 15 characters of 7.3 px with an ellipsis behind it', () => {
  const address = placeColumns(server, columnsFor(server, 'wide'), 1280).find(({ field }) => field === 'address')
  expect(address!.width - 24).toBeGreaterThanOrEqual(16 * 7.3)
})

test('the least needed go first, the title never', () => {
  expect(fields(1150)).not.toContain('version')
  expect(fields(700)).toEqual(expect.arrayContaining(['name', 'cpu', 'memory', 'disk']))
  expect(fields(100)).toEqual(['name'])
  expect(fields(640, cron)).toEqual(expect.arrayContaining(['name', 'scheduler', 'last_state']))
})

test('issue 12, looks: names win the width: a long one is whole before meters and addresses, as far as half of the room', () => {
  const named = (title: number, room = 1280) => placeColumns(server, columnsFor(server, 'wide'), room, { title })
  expect(named(420)[0]!.width).toBeGreaterThanOrEqual(420)
  expect(named(420).map(({ field }) => field)).not.toContain('version')
  expect(named(2000, 890)[0]!.width).toBeGreaterThanOrEqual(445)
  expect(named(2000, 890).map(({ field }) => field)).toContain('cpu')
})
