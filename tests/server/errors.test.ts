import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
})
afterAll(() => world.close())

test('R-10 a failure inside says little outside and everything in the log, by the same name', async () => {
  const { db } = world.server.container
  await sql`alter table server_groups rename to elsewhere`.execute(db)
  const answer = await browser.send('POST', '/api/v1/server-group', { body: { name: 'x' } })
  await sql`alter table elsewhere rename to server_groups`.execute(db)
  expect(answer.status).toBe(500)
  const request = /^internal error \(request (\w+)\)$/.exec(answer.body.error!)?.[1]
  expect(request).toBeDefined()
  expect(answer.text).not.toMatch(/server_groups|sql|\/|at /i)
  const line = world.log.find((text) => text.includes(request!))!
  expect(line).toMatch(/no such table: server_groups|relation .*server_groups.* does not exist/)
  expect(line).toContain('"stack"')
})

test('R-10 no secret is ever in the log', async () => {
  const secrets = [
    browser.cookies.get('nz-jwt')!,
    browser.cookies.get('nz-csrf')!,
    'correct horse battery',
    world.server.container.agentSecret,
  ]
  await browser.send('GET', '/api/v1/ws/terminal/7c9e6679-7425-40de-944b-e07fc1f90ae7')
  await world.guest().login('admin', 'correct horse battery')
  const log = world.log.join('')
  for (const secret of [...secrets, '7c9e6679']) expect(log).not.toContain(secret)
})
