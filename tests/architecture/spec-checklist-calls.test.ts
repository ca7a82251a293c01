import { resources } from '@qd/core/resources'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { specSection } from '../support/spec.ts'
import { createWorld, type World } from '../support/world.ts'
import { says } from './says.ts'

/** Every `METHOD /path` of the table in section 7, with a number for an id. */
const calls = [...specSection(7).matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
  cell!.split(';').flatMap((part) => {
    const found = /^\s*((?:GET|POST|PATCH)(?:, (?:GET|POST|PATCH))*) (\/api\/v1\/\S+)/.exec(part)
    if (!found) return []
    const [, methods = '', path = ''] = found
    const filled = path.replace(/\{(?:id|session_id)\}/g, '7').replace('{provider}', 'github')
    return methods.split(', ').map((method) => ({ method, path: filled.split('?')[0]! }))
  }),
)

let world: World
let root: Browser
let guest: Browser

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  guest = world.guest()
})

afterAll(() => world.close())

/** No such route: 404 before anything is looked at. Real servers of this kind answer an unknown record with 200. */
const isKnown = async (method: string, path: string): Promise<boolean> =>
  (await root.send(method, path, method === 'GET' ? {} : { body: path.includes('batch-') ? [] : {} })).status !== 404

describe('7. every call of the table', () => {
  test('is read from the specification', () => expect(calls.length).toBeGreaterThan(45))

  test.each(calls)('$method $path is answered', async ({ method, path }) => {
    // Plain GET on these is for scripts (decisions.md): the console posts.
    const isOld = method === 'GET' && /manual$|refresh-token$|file$/.test(path)
    expect(await isKnown(isOld ? 'POST' : method, path)).toBe(true)
  })

  test('a list and its verbs are those of the definitions', () => {
    const built = resources.filter(({ wire }) => wire.verbs.includes('delete'))
    const paths = calls.map(({ path }) => path)
    const named = built.filter(({ wire }) => paths.includes(`/api/v1/batch-delete/${wire.path}`))
    expect(named.map(({ name }) => name).sort()).toEqual(
      [
        'alert-rule',
        'cron',
        'ddns',
        'nat',
        'notification',
        'notification-group',
        'server',
        'server-group',
        'service',
        'user',
      ].sort(),
    )
  })
})

describe('7. what calls answer', () => {
  says(7, 'Responses use an envelope with success, error and data.', async () => {
    const good = await root.send('GET', '/api/v1/profile')
    expect(good).toMatchObject({ status: 200, body: { success: true, data: { username: 'admin' } } })
    const bad = await root.send('PATCH', '/api/v1/server/999', { body: { name: 'x' } })
    expect(bad.body.success).not.toBe(true)
    expect(bad.body.error).toMatch(/\S/)
  })
  says(7, 'GET and DELETE send parameters as a query string', async () => {
    const { body } = await root.send('GET', '/api/v1/history?servers=1&metric=cpu&from=0&to=1000&points=10')
    expect(body.problems ?? []).toEqual([])
  })
  says(7, 'get: config, frontend_templates, version; patch: settings fields', async () => {
    const { config, frontend_templates, version } = (await root.api('GET', 'setting')) as Record<string, unknown>
    expect([typeof config, Array.isArray(frontend_templates), typeof version]).toEqual(['object', true, 'string'])
    await root.api('PATCH', 'setting', { ...(config as object), site_name: 'Harbour' })
    expect(await root.api('GET', 'setting')).toMatchObject({ config: { site_name: 'Harbour' } })
  })
  says(7, 'server ids; answer lists success, failure, offline ids (shape beyond this not shown)', async () => {
    const away = await world.agent()
    const [server] = (await root.api('GET', 'server')) as { id: number }[]
    await away.close()
    await expect
      .poll(async () => root.api('POST', 'force-update/server', [server!.id]))
      .toMatchObject({ offline: [server!.id] })
  })
  says(7, 'username, password', async () => {
    const wrong = await guest.login('admin', 'not this one')
    expect(wrong.body).toMatchObject({ error: expect.stringMatching(/\S/) })
    expect((await world.login()).cookies.has('nz-jwt')).toBe(true)
  })
})

describe('6. roles', () => {
  says(6, 'Role 0 is admin, role 1 is normal user', async () => {
    const { browser } = await world.member('kim')
    expect(await browser.api('GET', 'profile')).toMatchObject({ username: 'kim', role: 1 })
    expect(await root.api('GET', 'profile')).toMatchObject({ role: 0 })
  })
  says(6, 'Settings page and User tab are admin only', async () => {
    const { browser } = await world.member('lee')
    const refused = await browser.send('PATCH', '/api/v1/setting', { body: { site_name: 'mine' } })
    expect(refused.body.success).not.toBe(true)
    expect(await root.api('GET', 'setting')).toMatchObject({ config: { site_name: 'Harbour' } })
  })
  says(6, 'Visitors get a read-only view without hidden-from-visitors items', async () => {
    const make = async (name: string, hidden: boolean) =>
      root.api('POST', 'service', { name, type: 3, target: 'localhost:1', duration: 30, hide_for_guest: hidden })
    await make('seen-one', false)
    const hidden = await make('hidden-one', true)
    const { body } = await world.guest().send('GET', '/api/v1/service')
    expect(JSON.stringify(body)).toContain('seen-one')
    expect(JSON.stringify(body)).not.toContain('hidden-one')
    const renamed = await world.guest().send('PATCH', `/api/v1/service/${hidden}`, { body: { name: 'x' } })
    expect(renamed.body.success).not.toBe(true)
    expect(await root.api('GET', 'service/list')).toContainEqual(expect.objectContaining({ name: 'hidden-one' }))
  })
})
