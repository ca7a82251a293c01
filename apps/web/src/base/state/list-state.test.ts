import { cron, server } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { fromSearch, listOf, toSearch } from './list-state.ts'
import { remembered } from './stores.ts'

test('P-33 filter and order of a list survive in its address', () => {
  const state = { filter: 'group:web !os:windows "a b"', sort: { field: 'cpu', order: 'desc' } } as const
  const address = new URLSearchParams(toSearch(server, state)).toString()
  expect(fromSearch(server, { search: new URLSearchParams(address), sort: server.sort })).toEqual(state)
})

test("the resource's own order stays out of the address, an unknown field is passed over", () => {
  expect(toSearch(cron, { filter: '', sort: cron.sort })).toEqual({})
  expect(fromSearch(cron, { search: new URLSearchParams('sort=nothing-desc'), sort: cron.sort }).sort).toEqual(
    cron.sort,
  )
})

test('issue 36.33 an address without a filter is the whole list in the order it had, and no filter is remembered', () => {
  const list = listOf(server)
  const byCpu = { field: 'cpu', order: 'desc' } as const
  list.take({ filter: 'cpu>>5 foo:bar', sort: byCpu })
  expect(remembered.read('main', 'list:server')).toEqual({ sort: byCpu })
  list.take(fromSearch(server, { search: new URLSearchParams('open=5'), sort: list.sort }))
  expect(list).toMatchObject({ filter: '', sort: byCpu })
  remembered.write('main', 'list:cron', { filter: 'foo:bar', sort: { ...cron.sort } })
  expect(listOf(cron).filter).toBe('')
})
