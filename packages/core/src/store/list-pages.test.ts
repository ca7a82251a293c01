import { expect, test } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import { cron, incident } from '../resources/index.ts'
import { createListModel } from '../view/index.ts'
import { createListPages, createRecords$, createRemembered } from './index.ts'

function setUp(resource = incident) {
  const world = createWorld()
  const remembered = createRemembered(world.ports)
  const records = createRecords$({ client: world.client, clock: world.ports, remembered })
  const list = createListModel(resource as typeof incident)
  const pages = createListPages({ records, setTimer: world.ports.setTimer, list, size: 2 })
  const arrive = () => records.load(resource.name)
  return { ...world, records, list, pages, arrive }
}

const incidents = (...ids: number[]) => ids.map((id) => ({ id, name: `incident ${id}`, state: 'open' }))
const answer = (value: unknown[], total = 5) => ({ value, pagination: { total }, all: 9, counts: { open: 5 } })

test('the server is asked once for what the list is to show, and when typing rests', async () => {
  const { list, pages, arrive, route, calls, pass } = setUp()
  route('GET incident?limit=2', answer(incidents(9, 8)))
  route('GET incident?limit=2&q=op&typing=1', answer(incidents(9), 1))
  pages.ask()
  await arrive()
  pages.ask()
  list.setTyping(true)
  for (const filter of ['o', 'op']) {
    list.setFilter(filter)
    pages.ask()
    pass(100)
  }
  expect(calls()).toEqual(['GET incident?limit=2'])
  pass(100)
  await arrive()
  list.setFilter('state:')
  list.setTyping(false)
  pages.ask()
  expect(calls()).toEqual(['GET incident?limit=2', 'GET incident?limit=2&q=op&typing=1'])
})

test('issue 10.9: what a table is told of pages follows what the list is to show now', async () => {
  const { list, pages, arrive, route } = setUp()
  route('GET incident?limit=2&q=open', answer([]))
  list.setFilter('open')
  pages.ask()
  await arrive()
  expect(pages.paged()).toEqual({ all: 9, matched: 5, counts: { open: 5 }, isCurrent: true })
  list.setTyping(true)
  expect(pages.paged()?.isCurrent).toBe(false)
  list.setTyping(false)
  list.sortBy('name')
  expect(pages.paged()?.isCurrent).toBe(false)
  const whole = setUp(cron as never)
  whole.pages.ask()
  expect(await whole.pages.all()).toBe(true)
  expect([whole.pages.paged(), whole.calls()]).toEqual([undefined, []])
})

test('all that the filter lets through come, unless the filter is another one by then', async () => {
  const { list, pages, arrive, route, records } = setUp()
  route('GET incident?limit=2', answer(incidents(9, 8)))
  route('GET incident?limit=2&offset=2', answer(incidents(7, 6)))
  route('GET incident?limit=1&offset=4', answer(incidents(5)))
  pages.ask()
  await arrive()
  await pages.more()
  expect(records.list$('incident').peek().ids).toEqual([9, 8, 7, 6])
  expect(await pages.all()).toBe(true)
  expect(records.list$('incident').peek().ids).toEqual([9, 8, 7, 6, 5])
  route('GET incident?limit=2&q=web', answer(incidents(9), 1))
  const meanwhile = pages.all()
  list.setFilter('web')
  expect(await meanwhile).toBe(false)
})
