import { expect, test } from 'vitest'
import type { AnyRow, View } from '../define/index.ts'
import { server } from '../resources/index.ts'
import { createArrival } from './arrival.ts'

const now = Date.parse('2026-05-01T12:00:00Z')
const row = (id: number, isOnline: boolean): AnyRow =>
  server.read.parse({ id, name: `web-${id}`, last_active: isOnline ? new Date(now).toISOString() : null })
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
