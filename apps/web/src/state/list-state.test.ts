import { cron, server } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { fromSearch, toSearch } from './list-state.ts'

test('P-33 filter and order of a list survive in its address', () => {
  const state = { filter: 'group:web !os:windows "a b"', sort: { field: 'cpu', order: 'desc' } } as const
  const address = new URLSearchParams(toSearch(server, state)).toString()
  expect(fromSearch(server, new URLSearchParams(address))).toEqual(state)
})

test("the resource's own order stays out of the address, an unknown field is passed over", () => {
  expect(toSearch(cron, { filter: '', sort: cron.sort })).toEqual({})
  expect(fromSearch(cron, new URLSearchParams('sort=nothing-desc')).sort).toEqual(cron.sort)
})
