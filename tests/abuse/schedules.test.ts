import { entityTables } from '@qd/server/records/table'
import { afterEach, expect, test } from 'vitest'
import { createWorld, type World } from '../support/world.ts'

let world: World
afterEach(() => world.close())

test('S-49 bad cron text is refused at write with the contract’s words', async () => {
  world = await createWorld()
  const browser = await world.login()
  const words = async (scheduler: string) =>
    (await browser.send('POST', '/api/v1/cron', { body: { name: 'x', command: 'id', scheduler } })).body.error
  expect(await words('')).toBe('empty spec string')
  expect(await words('* * * * *')).toBe('expected exactly 6 fields, found 5: [* * * * *]')
  expect(await words('61 * * * * *')).toBe('end of range (61) above maximum (59): 61')
  expect(await words('@reboot')).toBe('unrecognized descriptor: @reboot')
  expect(await words('* * * * * *')).toBeUndefined()
})

test('S-49 a row that was damaged in the database does not stop the others', async () => {
  world = await createWorld()
  const browser = await world.login()
  await browser.api('POST', 'cron', { name: 'bad', command: 'id', scheduler: '@daily' })
  await browser.api('POST', 'cron', { name: 'good', command: 'id', scheduler: '@daily' })
  const { db } = world.server.container
  await entityTables(db)
    .updateTable('crons')
    .set({ servers: '{not json', scheduler: 'no schedule' })
    .where('name', '=', 'bad')
    .execute()
  await world.restart()
  const again = await world.login()
  const names = ((await again.api('GET', 'cron')) as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['bad', 'good'])
  expect((await world.guest().send('GET', '/healthz')).status).toBe(200)
})
