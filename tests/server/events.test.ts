import type { ServerEvent } from '@qd/core/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  await world.agent({ onCommand: () => ({ data: 'done\n', successful: true }) })
  const task = { name: 'backup', task_type: 0, scheduler: '0 0 3 * * *', command: 'true', cover: 0, servers: [1] }
  const id = await root.api('POST', 'cron', task)
  await root.api('POST', `cron/${id}/manual`)
})
afterAll(() => world.close())

const events = async (query = '') => ((await root.api('GET', `server/1/event${query}`)) ?? []) as ServerEvent[]

test('what happened to a server is told, the newest first, and page by page', async () => {
  const kinds = async () => (await events()).map(({ kind }) => kind).sort()
  await expect.poll(kinds).toEqual(['enrolled', 'online', 'run'])
  const all = await events()
  expect(all.find(({ kind }) => kind === 'run')!.params).toEqual({ name: 'backup', state: 'success', run_id: 1 })
  const [newest] = await events('?limit=1')
  expect(newest).toEqual(all[0])
  expect(await events(`?limit=1&before=${newest!.id}`)).toEqual([all[1]])
  const [run] = await events('?kind=run')
  expect(await events('?kind=run')).toEqual(all.filter(({ kind }) => kind === 'run'))
  const at = Date.parse(run!.at)
  expect(await events(`?kind=run&from=${at}&to=${at}`)).toEqual([run])
  expect(await events(`?kind=run&from=${at + 1}`)).toEqual([])
  expect(await events(`?kind=run&to=${at - 1}`)).toEqual([])
})

test.each([
  ['?limit=x', 'invalid limit'],
  ['?before=-1', 'invalid id "-1"'],
  ['?from=x', 'invalid from'],
])('%s is refused', async (query, error) => {
  expect((await root.send('GET', `/api/v1/server/1/event${query}`)).body.error).toBe(error)
})

test('S-25 only owners and administrators are told', async () => {
  const { browser: alice } = await world.member('alice')
  const errorOf = async (caller: Browser, id: number) =>
    (await caller.send('GET', `/api/v1/server/${id}/event`)).body.error
  expect(await errorOf(world.guest(), 1)).toBe('ApiErrorUnauthorized')
  expect(await errorOf(alice, 1)).toBe(await errorOf(alice, 99))
  expect(await errorOf(root, 99)).toBe('server id 99 does not exist')
})
