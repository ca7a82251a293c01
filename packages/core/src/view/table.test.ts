import { describe, expect, test } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { AnyRow, Resource } from '../define/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { cron, incident, server, unit, waf } from '../resources/index.ts'
import {
  buildTable,
  chosenFacet,
  facetText,
  keepMarks,
  markRange,
  nextSort,
  problemField,
  type Sort,
  sortFields,
  sortKeyOf,
  toggleAll,
  toggleMark,
  withFacet,
} from './index.ts'

const servers = [
  serverRow({ id: 1, name: 'web-10', cpu: 96 }),
  serverRow({ id: 2, name: 'web-2', cpu: 12 }),
  serverRow({ id: 3, name: 'db-1', seenMsAgo: 3_600_000 }),
  serverRow({ id: 4, name: 'new-1', seenMsAgo: null }),
  serverRow({ id: 5, name: 'Web-3', cpu: 12 }),
]
const groups: AnyRow[] = [{ id: 1, name: 'web', servers: [1, 2, 5] }]
const view = viewOf({ server: servers, 'server-group': groups })
const none: ReadonlySet<number> = new Set()
const base = { resource: server, rows: servers, view, width: 'wide', filter: '', marks: none } as const
const list = (more: object) => buildTable({ ...base, ...more }).ids

describe('order', () => {
  test('names as people count, whatever their capitals', () =>
    expect(list({ sort: { field: 'display_index', order: 'desc' } })).toEqual([3, 4, 2, 5, 1]))
  test('servers begin with the problems unless another order is chosen', () =>
    expect(list({})).toEqual([3, 1, 4, 2, 5]))
  test.each([
    ['cpu', 'desc', [1, 3, 2, 5, 4]],
    ['cpu', 'asc', [2, 5, 3, 1, 4]],
    ['groups', 'asc', [2, 5, 1, 3, 4]],
    ['groups', 'desc', [2, 5, 1, 3, 4]],
    ['status', 'desc', [3, 1, 4, 2, 5]],
    ['last_seen_at', 'asc', [3, 2, 5, 1, 4]],
  ])('by %s %s, the unknown last', (field, order, ids) => expect(list({ sort: { field, order } })).toEqual(ids))
  test('issue 10: the larger the weight of a server, the further up; equal ones stand by name', () => {
    const weighed = servers.map((row) => ({ ...row, display_index: row.id === 4 ? 9 : row.id === 1 ? 3 : 0 }))
    expect(list({ rows: weighed, sort: { field: 'display_index', order: 'desc' } })).toEqual([4, 1, 3, 2, 5])
    const equal = weighed.map((row) => (row.id === 5 ? { ...row, display_index: 7 } : row))
    expect(list({ rows: equal })).toEqual([3, 1, 4, 5, 2])
    expect(list({ rows: weighed, sort: { field: 'display_index', order: 'asc' } })).toEqual([3, 2, 5, 1, 4])
  })
  test('issue 10: the weight is offered to order by, although no column shows it', () => {
    expect(sortFields(server, buildTable(base).columns).slice(0, 3)).toEqual(['status', 'display_index', 'name'])
    expect(sortFields(cron, buildTable({ ...base, resource: cron, rows: [] }).columns)[0]).toBe('name')
  })
  test('issue 12, beyond: problems first is offered before all else, begins with the worst and is taken back by the next press', () => {
    const byName = { field: 'name', order: 'asc' } as const
    const first = nextSort(server, byName, 'status')
    expect(list({ sort: first })).toEqual([3, 1, 4, 2, 5])
    expect(nextSort(incident, nextSort(incident, incident.sort, 'state'), 'state')).toEqual(incident.sort)
    expect(sortKeyOf(server, 'status')).toBe('ui.list.problemsFirst')
    expect([problemField(incident), problemField(cron)]).toEqual(['state', null])
  })
  test('an unknown column leaves the order', () => {
    expect(list({ sort: { field: 'nope', order: 'asc' } })).toEqual([1, 2, 3, 4, 5])
  })
  test('presses on a head', () => {
    const cpu = nextSort(server, server.sort, 'cpu')
    const turned = nextSort(server, cpu, 'cpu')
    expect([cpu, turned, nextSort(server, turned, 'cpu')]).toEqual([
      { field: 'cpu', order: 'desc' },
      { field: 'cpu', order: 'asc' },
      server.sort,
    ])
    expect(nextSort(server, server.sort, 'name')).toEqual({ field: 'name', order: 'asc' })
    expect(nextSort(cron, cron.sort, 'name')).toEqual({ field: 'name', order: 'desc' })
  })
})

describe('columns', () => {
  const fields = (width: string, resource: Resource = server) =>
    buildTable({ ...base, resource, rows: [], width: width as 'wide' }).columns.map(({ field }) => field)
  test.each([
    ['phone', ['name', 'cpu', 'memory', 'disk']],
    ['narrow', ['name', 'cpu', 'memory', 'disk', 'net_in', 'net_out', 'uptime']],
    ['normal', ['name', 'groups', 'cpu', 'memory', 'disk', 'net_in', 'net_out', 'uptime']],
  ])('%s', (width, names) => expect(fields(width)).toEqual(names))
  test('wide has all but details', () => {
    expect(fields('wide')).toContain('version')
    expect(fields('wide')).not.toContain('swap')
    expect(fields('phone', cron)).toEqual(['name', 'scheduler', 'last_state'])
  })
  test('say what a head needs', () => {
    const [name, , , cpu] = buildTable(base).columns
    expect(name).toMatchObject({ label: 'resources.server.fields.name', numeric: false, unit: null, order: null })
    expect(cpu).toMatchObject({ field: 'cpu', numeric: true, unit: 'ui.units.head.percent', live: true, order: null })
  })
})

describe('filter and marks', () => {
  const marks = new Set([1, 3, 99])
  test('the selection language decides, marks stay', () => {
    const table = buildTable({ ...base, filter: 'group:web', marks })
    expect(table).toMatchObject({ ids: [1, 2, 5], total: 5, marked: 2, hiddenMarks: 1, problem: null })
  })
  test('issue 10.18: a wrong filter says what is wrong and lists nothing that could be marked by mistake', () => {
    const table = buildTable({ ...base, filter: 'web colour:red' })
    expect(table.problem).toMatchObject({ code: 'unknownTerm' })
    expect(table.ids).toEqual([])
  })
  test('issue 10.9: of a list that the server pages, the server filters, orders and counts', () => {
    const paged = { all: 965, matched: 940, counts: { online: 900, warning: 65 }, isCurrent: true }
    const table = buildTable({ ...base, filter: 'offline', marks, paged })
    expect(table).toMatchObject({ ids: [1, 2, 3, 4, 5], total: 965, matched: 940, marked: 3, hiddenMarks: 1 })
    expect(table.facets.find(({ option }) => option === 'online')).toMatchObject({ count: 965, partOf: null })
  })
  test('issue 10.9: until the answer to a new filter is here, the old rows are filtered and ordered at once', () => {
    const paged = { all: 965, matched: 965, counts: {}, isCurrent: false }
    expect(buildTable({ ...base, filter: 'group:web', paged })).toMatchObject({
      ids: [1, 2, 5],
      matched: 3,
      total: 965,
    })
  })
  test('issue 14: a list that the server pages is not counted from the rows that were kept, before its first answer', () => {
    const kept = { ...base, resource: waf, rows: [{ id: 1, ip: '203.0.113.7' }] }
    expect(buildTable(kept)).toMatchObject({ ids: [1], isComing: true })
    expect(buildTable({ ...kept, paged: { all: 60, matched: 60, counts: {}, isCurrent: true } }).isComing).toBe(false)
    expect(buildTable(base).isComing).toBe(false)
  })
  test('issue 10: every surface says the same of who is online: "38 online, 2 of them warning"', async () => {
    const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
    const { facets } = buildTable({
      ...base,
      paged: { all: 41, matched: 41, counts: { online: 36, warning: 2, offline: 3 }, isCurrent: true },
    })
    const said = facets.map((facet) => facetText(facet, translator, String(facet.count)))
    expect(said).toEqual(['38 online', '2 of them warning', '3 offline', '0 never seen'])
  })
  test('an order by something that is no field leaves the rows as they are', () => {
    expect(buildTable({ ...base, sort: { field: '__proto__', order: 'asc' } }).ids).toEqual([1, 2, 3, 4, 5])
  })
  test('an unfinished word is no problem while it is typed', () => {
    expect(buildTable({ ...base, filter: 'group:', typing: true }).problem).toBeNull()
  })
  test.each([
    ['a mark', toggleMark(marks, 2), [1, 2, 3, 99]],
    ['its mark taken', toggleMark(marks, 3), [1, 99]],
    ['a range', markRange(none, [5, 4, 3, 2], 2, 4), [2, 3, 4]],
    ['a range from a hidden row', markRange(none, [5, 4, 3], 9, 4), [4]],
    ['a range of hidden rows', markRange(none, [5, 4, 3], 9, 8), []],
    ['all listed', toggleAll(marks, [1, 2]), [1, 2, 3, 99]],
    ['all listed again', toggleAll(new Set([1, 2, 3]), [1, 2]), [3]],
    ['those that exist', keepMarks(marks, (id) => id < 9), [1, 3]],
  ])('%s', (_name, next, ids) => expect([...next].sort((a, b) => a - b)).toEqual(ids))
  test('the same set when no mark went', () => expect(keepMarks(marks, () => true)).toBe(marks))
})

describe('facets', () => {
  const { facets } = buildTable(base)
  test('count all rows, also of options nobody has', () => {
    expect(facets.map(({ option, count, tone }) => [option, count, tone])).toEqual([
      ['online', 3, 'ok'],
      ['warning', 1, 'warn'],
      ['offline', 1, 'bad'],
      ['never', 1, 'muted'],
    ])
    const tasks = buildTable({ ...base, resource: cron, rows: [cronRow({ id: 1 })], view }).facets
    expect(tasks.map(({ option, count }) => [option, count])).toEqual([
      ['scheduled', 1],
      ['triggered', 0],
    ])
  })
  test.each([
    ['', 'offline', 'offline', null],
    ['web online', 'offline', 'web offline', 'online'],
    ['offline web', 'offline', 'web', 'offline'],
    ['web  offline  db', null, 'web  db', 'offline'],
    ['!offline', 'online', '!offline online', null],
    ['(offline web)', 'online', '(offline web) online', null],
    ['web or db', 'online', '(web or db) online', null],
    ['"offline"', 'offline', '"offline" offline', null],
  ])('in %j choosing %s gives %j', (filter, option, result, chosen) => {
    expect(chosenFacet(facets, filter)).toBe(chosen)
    expect(withFacet(facets, filter, option)).toBe(result)
  })
  test('a field without words of its own is chosen by a term', () => {
    const terms = facets.map((facet) => {
      const filter = `status:${facet.option}`
      return { ...facet, filter, filters: [filter] }
    })
    expect(chosenFacet(terms, 'web status:online')).toBe('online')
    expect(withFacet(terms, 'status:online,offline', 'never')).toBe('status:online,offline status:never')
    expect(withFacet(terms, 'status:online web', 'never')).toBe('web status:never')
  })
})

test('rows of hosts keep their order and counts while a filter is typed, and get new ones when they are read again', () => {
  const unitRow = (id: number, server_id: number, name: string, state: string) => ({ id, server_id, name, state })
  const rows = [unitRow(1, 2, 'b', 'active'), unitRow(2, 1, 'a', 'failed'), unitRow(3, 1, 'b10', 'active')]
  const shown = (of: readonly AnyRow[], filter: string, sort: Sort = unit.sort) =>
    buildTable({ resource: unit, rows: of, view, width: 'wide', sort, filter, marks: none })
  expect(shown(rows, '').ids).toEqual([2, 1, 3])
  expect(shown(rows, '').ids).toBe(shown(rows, '').ids)
  expect(shown(rows, 'name:b').ids).toEqual([1, 3])
  expect(shown(rows, 'name:b', { field: 'name', order: 'desc' }).ids).toEqual([3, 1])
  expect(shown(rows, '').facets.find(({ option }) => option === 'active')?.count).toBe(2)
  const later = rows.map((row) => ({ ...row, state: row.id === 3 ? 'failed' : 'active' }))
  expect(shown(later, '').ids).toEqual([3, 2, 1])
  expect(shown(later, '').facets.find(({ option }) => option === 'active')?.count).toBe(2)
  // By another record’s title, which may change: never kept.
  const byServer: Sort = { field: 'server_id', order: 'asc' }
  expect(shown(rows, '', byServer).ids).not.toBe(shown(rows, '', byServer).ids)
})
