import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, type World } from '../support/world.ts'

const clock = createFakeClock()
let world: World
let root: Browser
let agent: SimulatedAgent

beforeAll(async () => {
  world = await createWorld({ clock })
  root = await world.login()
  agent = await world.agent()
})
afterAll(() => world.close())

const read = () => root.send('GET', '/api/v1/server/config/1')

test('an answer that comes too late is nobody’s: each request gets its own', async () => {
  const first = read()
  const late = await agent.nextTask()
  await clock.advance(9999)
  const second = read()
  const next = await agent.nextTask()
  await clock.advance(1)
  expect((await first).body).toMatchObject({ error: 'operation timeout' })
  agent.answer(late, { data: '{"report_delay":1}', successful: true })
  agent.answer(next, { data: '{"report_delay":2}', successful: true })
  expect((await second).body).toEqual({ success: true, data: '{"report_delay":2}' })
})

test('the answer of another host to the same question is not taken', async () => {
  const other = await world.agent()
  const asked = read()
  const question = await agent.nextTask()
  other.answer(question, { data: '{"forged":true}', successful: true })
  agent.answer(question, { data: '{}', successful: true })
  expect((await asked).body.data).toBe('{}')
})
