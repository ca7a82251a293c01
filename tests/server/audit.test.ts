import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let root: Browser
beforeEach(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  root = await world.login()
})
afterEach(() => world.close())

interface Entry {
  id: number
  at: string
  username: string
  action: string
  target: string
  names: string
  result: string
  address: string
  changes: readonly { id: number; name: string; field: string; before: unknown; after: unknown }[]
}
const entries = async (query = '') => ((await root.api('GET', `audit${query}`)) as { value?: Entry[] }).value ?? []
const newest = async (action: string) => (await entries()).find((entry) => entry.action === action)
const task = { name: 'clean', command: 'rm -rf /var/tmp/x', scheduler: '0 0 3 * * *', servers: [], cover: 1 }
const fieldsOf = (entry: Entry | undefined) =>
  Object.fromEntries((entry?.changes ?? []).map(({ field, before, after }) => [field, [before, after]]))

describe('issue 14, R-11: the audit log', () => {
  test('says who made, changed and deleted what, with before and after', async () => {
    const id = (await root.api('POST', 'cron', task)) as number
    await root.api('PATCH', `cron/${id}`, { ...task, name: 'clean up', command: 'true' })
    await root.api('POST', 'batch-delete/cron', [id])
    await expect.poll(() => newest('cron delete')).toMatchObject({ target: String(id), names: 'clean up' })
    const made = await newest('cron create')
    expect(made).toMatchObject({
      username: 'admin',
      target: String(id),
      names: 'clean',
      result: 'ok',
      address: '127.0.0.1',
      at: new Date(clock.now()).toISOString(),
    })
    expect(fieldsOf(made)).toMatchObject({ name: [null, 'clean'], command: [null, task.command] })
    expect(fieldsOf(await newest('cron edit'))).toEqual({
      name: ['clean', 'clean up'],
      command: [task.command, 'true'],
    })
    expect(fieldsOf(await newest('cron delete'))).toMatchObject({ name: ['clean up', null], command: ['true', null] })
  })

  test('a secret is said to have changed, and is nowhere in it', async () => {
    const made = { username: 'kim', password: 'the first long password', role: 1 }
    const id = (await root.api('POST', 'user', made)) as number
    await root.api('PATCH', `user/${id}`, { username: 'kim', role: 1, password: 'the second long password' })
    await expect.poll(async () => fieldsOf(await newest('user edit'))).toEqual({ new_password: ['***', '***'] })
    expect(fieldsOf(await newest('user create'))).toMatchObject({
      username: [null, 'kim'],
      new_password: [null, '***'],
    })
    const whole = JSON.stringify(await entries())
    expect(whole).not.toMatch(/long password|\$argon|\$2[aby]\$|scrypt/)
  })

  test('the settings, a switch and many records at once', async () => {
    const config = ((await root.api('GET', 'setting')) as { config: object }).config
    await root.api('PATCH', 'setting', { ...config, site_name: 'Bridge' })
    await expect
      .poll(async () => fieldsOf(await newest('setting edit')))
      .toMatchObject({ site_name: ['Quarterdeck', 'Bridge'] })
    const ids = [await root.api('POST', 'cron', task), await root.api('POST', 'cron', { ...task, name: 'other' })]
    await root.api('POST', 'batch-delete/cron', ids)
    await expect.poll(() => newest('cron delete')).toMatchObject({ target: ids.join(','), names: 'clean, other' })
  })

  test('wrong passwords and missing rights are refused, from where', async () => {
    await world.guest().send('POST', '/api/v1/login', { body: { username: 'admin', password: 'x' }, from: '127.0.0.9' })
    const { browser: kim } = await world.member('kim')
    expect((await kim.send('GET', '/api/v1/audit')).body.success).not.toBe(true)
    await expect.poll(() => newest('sign-in')).toBeDefined()
    await expect
      .poll(() => entries('?q=result:refused'))
      .toMatchObject([
        { username: 'kim', action: 'GET /api/v1/audit' },
        { action: 'sign-in', target: 'admin', address: '127.0.0.9' },
      ])
    expect((await kim.send('GET', '/api/v1/audit/1')).body.success).not.toBe(true)
  })

  test('pages, words and one entry; nothing can be written', async () => {
    for (const name of ['a1', 'a2', 'b3']) await root.api('POST', 'cron', { ...task, name })
    await expect
      .poll(async () => (await entries('?q=action:create')).map(({ names }) => names))
      .toEqual(['b3', 'a2', 'a1'])
    expect((await entries('?q=a2')).map(({ names }) => names)).toEqual(['a2'])
    expect((await entries('?limit=1&offset=1&q=action:create')).map(({ names }) => names)).toEqual(['a2'])
    const [one] = await entries('?q=b3')
    expect(await root.api('GET', `audit/${one!.id}`)).toEqual(one)
    expect((await root.send('GET', '/api/v1/audit/99999')).body.error).toBeDefined()
    for (const method of ['POST', 'PATCH', 'DELETE'] as const)
      expect((await root.send(method, `/api/v1/audit/${one!.id}`, { body: {} })).body?.success).not.toBe(true)
  })
})
