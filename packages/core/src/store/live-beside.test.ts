import { expect, test } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import { createLive$, createRecords$, createRemembered, createView } from './index.ts'

test('where no changes are told, figures of a call of their own are asked for every 30 s while they are on screen', async () => {
  const { client, ports, calls, pass, route } = createWorld()
  const remembered = createRemembered(ports)
  const records = createRecords$({ client, clock: ports, remembered })
  const live = createLive$({ ports, baseUrl: 'http://fleet', client, records, view: () => view })
  const view = createView({ records, live, supports: () => true })
  const settled = () => new Promise((resolve) => setTimeout(resolve))
  route('GET service/list', [{ id: 1, name: 'site' }])
  route('GET service', { services: { 1: { current_up: 1, current_down: 0 } } })
  live.start()
  const leave = records.watch('service')
  await settled()
  expect(records.peek('service', 1)).toMatchObject({ status: 2 })
  route('GET service', { services: { 1: { current_up: 0, current_down: 3 } } })
  pass(31_000)
  await settled()
  expect(records.peek('service', 1)).toMatchObject({ status: 4 })
  leave()
  pass(90_000)
  await settled()
  expect(calls().filter((call) => call === 'GET service')).toHaveLength(2)
})
