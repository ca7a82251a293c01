import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

test('a world runs a task on a simulated agent', async () => {
  await world.agent({ onCommand: (command) => ({ data: `ran ${command}`, successful: true }) })
  const browser = await world.login()
  const [server] = (await browser.api('GET', 'server')) as { id: number }[]
  const task = await browser.api('POST', 'cron', { name: 't', task_type: 1, command: 'true', servers: [server!.id] })
  const { run_id } = (await browser.api('POST', `cron/${task}/manual`)) as { run_id: number }
  await expect
    .poll(async () => ((await browser.api('GET', `run/${run_id}`)) as { items: { state: string }[] }).items[0]!.state)
    .toBe('success')
})
