import { observable } from '@legendapp/state'
import { server, serverGroup } from '@qd/core/resources'
import type { Table } from '@qd/core/view'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { runCommand } from '../../act/keys/commands.ts'
import type { ListState } from '../../base/state/list-state.ts'
import { inOldOrder, useHeldOrder } from './held-order.ts'

afterEach(cleanup)

const live = server.columns.find((column) => column.live)!.field
const stateOf = (field: string) =>
  observable<ListState>({ filter: '', typing: false, sort: { field, order: 'desc' }, marks: new Set(), cursor: null })
const tableOf = (ids: readonly number[]) => ({ ids }) as Table
const open = (field: string, resource = server) => {
  const list$ = stateOf(field)
  const hook = renderHook(({ ids }) => useHeldOrder(resource, list$, tableOf(ids)), {
    initialProps: { ids: [1, 2, 3] },
  })
  const ids = () => hook.result.current.table.ids
  return { ...hook, list$, ids }
}

test('issue 12.6: rows keep their places while the pointer is on them; R, another order and leaving show the new one', () => {
  const { result, rerender, ids, list$ } = open(live)
  act(() => result.current.hold('pointer', true))
  rerender({ ids: [3, 2, 1] })
  expect([ids(), result.current.hasChanged]).toEqual([[1, 2, 3], true])
  rerender({ ids: [4, 3, 1] })
  expect(ids()).toEqual([1, 3, 4])
  act(() => void runCommand('reload'))
  expect([ids(), result.current.hasChanged]).toEqual([[4, 3, 1], false])
  rerender({ ids: [1, 3, 4] })
  expect(ids()).toEqual([4, 3, 1])
  act(() => list$.filter.set('web'))
  expect(ids()).toEqual([1, 3, 4])
  rerender({ ids: [3, 4, 1] })
  act(() => result.current.hold('focus', true))
  act(() => result.current.hold('pointer', false))
  expect(ids()).toEqual([1, 3, 4])
  act(() => result.current.hold('focus', false))
  expect(ids()).toEqual([3, 4, 1])
})

test('issue 12.6: what is ordered by something that stays moves at once', () => {
  const { result, rerender, ids } = open('name', serverGroup as never)
  act(() => result.current.hold('focus', true))
  rerender({ ids: [2, 1, 3] })
  expect([ids(), result.current.hasChanged]).toEqual([[2, 1, 3], false])
})

test.each([
  [
    [1, 2, 3],
    [3, 2, 1],
    [1, 2, 3],
  ],
  [
    [1, 2],
    [3, 2, 1],
    [1, 2, 3],
  ],
  [[1, 2, 3], [3], [3]],
  [[], [2, 1], [2, 1]],
])('the order of %j with the rows %j is %j', (old, now, ids) => expect(inOldOrder(old, now)).toEqual(ids))
