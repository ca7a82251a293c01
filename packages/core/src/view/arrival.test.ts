import { expect, test } from 'vitest'
import type { AnyRow, View } from '../define/index.ts'
import { server } from '../resources/index.ts'
import { createArrival } from './arrival.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const row = (id: number, isOnline: boolean, more: object = {}): AnyRow =>
  server.read.parse({ id, name: `web-${id}`, last_active: isOnline ? new Date(now).toISOString() : null, ...more })
const viewOf = (...rows: AnyRow[]) => ({ now, all: () => rows }) as unknown as View
const idsOf = (rows: readonly AnyRow[]) => rows.map(({ id }) => id)

test('issue 39.5: a new server has come once it reports; one that was known before and comes back has not', () => {
  const { install } = server.actions
  const arrival = createArrival(install!, { resource: server, rows: [], view: viewOf(row(1, true), row(2, false)) })
  expect(idsOf(arrival(viewOf(row(1, true), row(2, true), row(3, false))))).toEqual([])
  expect(idsOf(arrival(viewOf(row(1, true), row(2, true), row(3, true))))).toEqual([3])
})

test('issue 39.5: of a reinstalled server only itself counts, and not before its old agent has gone', () => {
  const { reinstall } = server.actions
  const rows = [row(1, true)]
  const arrival = createArrival(reinstall!, { resource: server, rows, view: viewOf(row(1, true)) })
  expect(idsOf(arrival(viewOf(row(1, true), row(2, true))))).toEqual([])
  expect(idsOf(arrival(viewOf(row(1, false), row(2, true))))).toEqual([])
  expect(idsOf(arrival(viewOf(row(1, true), row(2, true))))).toEqual([1])
})

test.each([
  ['of another version', { host: { version: '2.0.0' } }],
  ['of the same version that has enrolled again', { enrolled_at: '2026-05-01T11:59:59Z' }],
])('a reinstalled server that was never seen away has come once its agent is one %s', (_, more) => {
  const { reinstall } = server.actions
  const before = row(1, true, { host: { version: '1.0.0' }, own_secret: false })
  const arrival = createArrival(reinstall!, { resource: server, rows: [before], view: viewOf(before) })
  expect(idsOf(arrival(viewOf(before)))).toEqual([])
  expect(idsOf(arrival(viewOf({ ...before, ...row(1, true, { host: { version: '1.0.0' }, ...more }) })))).toEqual([1])
})

test('what a colleague does to a server that stays is no arrival', () => {
  const { reinstall } = server.actions
  const before = row(1, true, { own_secret: true })
  const arrival = createArrival(reinstall!, { resource: server, rows: [before], view: viewOf(before) })
  const edited = row(1, true, { name: 'renamed', own_secret: false, updated_at: '2026-05-01T11:59:59Z' })
  expect(idsOf(arrival(viewOf(edited)))).toEqual([])
})

test('a host that has a record already counts as a new server once it has enrolled with it', () => {
  const { install } = server.actions
  const before = row(1, false)
  const arrival = createArrival(install!, { resource: server, rows: [], view: viewOf(before) })
  const enrolled = { enrolled_at: '2026-05-01T11:59:59Z' }
  expect(idsOf(arrival(viewOf(row(1, false, enrolled))))).toEqual([])
  expect(idsOf(arrival(viewOf(row(1, true, enrolled))))).toEqual([1])
})
