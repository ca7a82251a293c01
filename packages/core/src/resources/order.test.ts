import { expect, test } from 'vitest'
import { viewOf } from '../../../../tests/support/core/rows.ts'
import type { ActionContext, AnyRow, Call } from '../define/index.ts'
import { sortRows } from '../targets/order.ts'
import { reordered } from './order.ts'
import { service } from './service.ts'

const rows = (...weights: number[]): AnyRow[] => weights.map((display_index, at) => ({ id: at + 1, display_index }))
/** Ids in the order that the new weights give. */
function after(all: readonly AnyRow[], id: number, step: -1 | 1): number[] {
  const changes = new Map(reordered(all, id, step).map(({ row, display_index }) => [row.id, display_index]))
  return [...all]
    .sort((a, b) => {
      const weight = (row: AnyRow) => Number(changes.get(row.id) ?? row.display_index)
      return weight(b) - weight(a) || a.id - b.id
    })
    .map((row) => row.id)
}

test.each<[string, AnyRow[], number, -1 | 1, number[]]>([
  ['up', rows(3, 2, 1), 2, -1, [2, 1, 3]],
  ['down', rows(3, 2, 1), 2, 1, [1, 3, 2]],
  ['among equals', rows(0, 0, 0), 3, -1, [1, 3, 2]],
  ['past a gap', rows(100, 50, -7), 3, -1, [1, 3, 2]],
])('%s', (_name, all, id, step, order) => expect(after(all, id, step)).toEqual(order))

test.each<[string, number, -1 | 1]>([
  ['above the first', 1, -1],
  ['below the last', 3, 1],
  ['for a record that is gone', 9, 1],
])('nothing changes %s', (_name, id, step) => expect(reordered(rows(3, 2, 1), id, step)).toEqual([]))

test('only what changes is written', () => {
  expect(reordered(rows(3, 2, 1), 2, -1).map(({ row, display_index }) => [row.id, display_index])).toEqual([
    [2, 3],
    [1, 2],
  ])
})

test('N-05 moving a service edits it and the one it passes, with everything else as it was', async () => {
  const all = [2, 1].map((display_index, at) =>
    service.read.parse({ id: at + 1, name: `s${at + 1}`, type: 3, target: 'a:1', display_index, skip_servers: [4] }),
  )
  const calls: Call[] = []
  const context = { api: { send: async (call: Call) => calls.push(call) }, view: viewOf({ service: all }) }
  const outcome = await service.actions['move-up'].run(context as unknown as ActionContext, [all[1]!])
  expect(outcome).toEqual({ kind: 'done', changed: [2, 1] })
  expect(calls).toMatchObject([
    { method: 'PATCH', path: 'service/2', body: { name: 's2', display_index: 2, skip_servers: { 4: true } } },
    { method: 'PATCH', path: 'service/1', body: { name: 's1', display_index: 1 } },
  ])
  expect(service.actions['move-up'].waits).toBe(true)
})

test('N-05 services of equal weight are listed in the order in which they are moved', () => {
  const all = ['b', 'c', 'a'].map((name, at) => ({ id: at + 1, name, display_index: 0 })) as unknown as AnyRow[]
  const listed = sortRows(service, all, service.sort, viewOf({ service: all })).map(({ id }) => id)
  expect(listed).toEqual([1, 2, 3])
})
