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

test('issue 37.2 a schedule has at most 256 characters, and says so', async () => {
  world = await createWorld()
  const browser = await world.login()
  const save = (scheduler: string) =>
    browser.send('POST', '/api/v1/cron', { body: { name: 'x', command: 'id', scheduler } })
  const most = `${'0,'.repeat(200)}0 0 * * * *`.slice(-256).replace(/^,/, '0')
  expect((await save(most)).body.success).toBe(true)
  expect((await save(`${most} `)).body.problems).toEqual([
    { field: 'scheduler', code: 'tooLong', params: { maximum: 256 } },
  ])
})

test('issue 37.2 tasks whose stored schedule is far too long are shown as wrong and can be deleted', async () => {
  world = await createWorld()
  const browser = await world.login()
  const ids: number[] = []
  for (const name of ['one', 'two', 'three'])
    ids.push((await browser.api('POST', 'cron', { name, command: 'id', scheduler: '@daily' })) as number)
  const huge = `${'0-59/1,'.repeat(140_000)}0 * * * * *`
  const { db } = world.server.container
  await entityTables(db).updateTable('crons').set({ scheduler: huge }).execute()
  await world.restart()
  expect((await world.guest().send('GET', '/healthz')).status).toBe(200)
  expect(world.log.filter((line) => line.includes('skipping task: invalid schedule'))).toHaveLength(3)
  const again = await world.login()
  const tasks = (await again.api('GET', 'cron')) as { name: string; scheduler: string }[]
  expect(tasks.map(({ name, scheduler }) => [name, scheduler.length])).toEqual(
    ['one', 'two', 'three'].map((name) => [name, huge.length]),
  )
  await again.api('POST', 'batch-delete/cron', ids)
  expect(await again.api('GET', 'cron')).toEqual(null)
})
