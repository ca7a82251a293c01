import { expect, test } from 'vitest'
import { cron, server } from '../resources/index.ts'
import { savedFilterOf, shownColumns, toggleSavedFilter, withColumns } from '../view/index.ts'
import { createSavedLists } from './remembered.ts'

function memory(first: Record<string, string> = {}) {
  const kept = new Map(Object.entries(first))
  return {
    kept,
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => void kept.set(key, value),
    delete: (key: string) => void kept.delete(key),
  }
}

test('columns and filters are kept by person and list, and read again', () => {
  const storage = memory()
  let who = 7
  const lists = createSavedLists({ storage, who: () => who })
  const list$ = lists.list$(server)
  list$.set(withColumns(server, list$.peek(), ['name', 'uuid']))
  list$.set(toggleSavedFilter(list$.peek(), { filter: ' online ', sort: { field: 'name', order: 'desc' } }))
  who = 8
  expect(lists.list$(server).peek()).toEqual({ columns: null, filters: [] })
  who = 7
  const again = createSavedLists({ storage, who: () => who })
  expect(again.list$(server).peek()).toEqual({
    columns: ['name', 'uuid'],
    filters: [{ filter: 'online', sort: { field: 'name', order: 'desc' } }],
  })
  expect(again.list$(cron).peek()).toEqual({ columns: null, filters: [] })
})

test('the usual columns in any order are the definition’s, and a saved filter is forgotten by the same key', () => {
  const none = { columns: null, filters: [] }
  const usual = shownColumns(server, none)
  expect(withColumns(server, none, usual.toReversed()).columns).toBeNull()
  expect(withColumns(server, none, usual.slice(1)).columns).toEqual(usual.slice(1))
  const sort = server.sort
  const saved = toggleSavedFilter(none, { filter: 'online', sort })
  expect(savedFilterOf(saved, 'online ')).toEqual({ filter: 'online', sort })
  expect(toggleSavedFilter(saved, { filter: 'online', sort })).toEqual(none)
})

test.each(['no JSON', '[]', 'null', '{"7:server":{"columns":[1,"uuid"],"filters":[{"filter":1},null]}}'])(
  'what cannot be read of %j is left out',
  (lists) => {
    const { columns, filters } = createSavedLists({ storage: memory({ lists }), who: () => 7 })
      .list$(server)
      .peek()
    expect([columns ?? ['uuid'], filters]).toEqual([['uuid'], []])
  },
)
