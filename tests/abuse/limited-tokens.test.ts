import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScript, type Script } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  const alice = await world.member('alice')
  await world.agent({ uuid: uuidOf(1), secret: world.server.container.accounts.byName('admin')!.agent_secret })
  await world.agent({ uuid: uuidOf(2), secret: alice.secret })
})
afterAll(() => world.close())

const task = { name: 't', task_type: 1, command: 'id', cover: 0, servers: [1] }

describe('S-36 a token and its servers', () => {
  let one: Script
  beforeAll(async () => {
    one = await createScript(world, root, { scopes: ['nezha:*'], server_ids: [1] })
  })

  test('other servers are not there', async () => {
    const { data } = (await one.send('GET', 'server')).body
    expect((data as { id: number }[]).map(({ id }) => id)).toEqual([1])
    expect((await one.send('PATCH', 'server/2', { name: 'x' })).body.error).toBe('server id 2 does not exist')
    await one.send('POST', 'batch-delete/server', [2])
    expect(world.server.container.servers.find(2)).toBeDefined()
    const moved = (await one.send('POST', 'batch-move/server', { ids: [2], to_user: 1 })).body.data
    expect(moved).toEqual([{ server_id: 2, status: 'server_not_found' }])
  })

  test('nor are they in its live feed', async () => {
    const socket = await openSocket(world, { headers: one.headers })
    const { servers } = (await socket.frame()) as { servers: { id: number }[] }
    expect(servers.map(({ id }) => id)).toEqual([1])
    socket.close()
  })

  test('tasks and groups that reach others are neither seen, made, changed, run nor deleted', async () => {
    const wide = { ...task, name: 'wide', cover: 1, servers: [] }
    const narrow = { ...task, name: 'narrow' }
    const foreign = (await root.api('POST', 'cron', wide)) as number
    const group = (await root.api('POST', 'server-group', { name: 'both', servers: [1, 2] })) as number
    const refused = [
      ['POST', 'cron', wide],
      ['POST', 'cron', { ...task, servers: [2] }],
      ['POST', 'cron', { ...task, cover: 2, servers: [] }],
      ['POST', 'server-group', { name: 'g', servers: [2] }],
    ] as const
    for (const [method, path, body] of refused)
      expect((await one.send(method, path, body)).body.error, JSON.stringify(body)).toBe('permission denied')
    const own = (await one.send('POST', 'cron', narrow)).body.data as number
    expect((await one.send('PATCH', `cron/${own}`, wide)).body.error).toBe('permission denied')
    const tasks = (await one.send('GET', 'cron')).body.data as { name: string }[]
    expect(tasks.map(({ name }) => name)).toEqual(['narrow'])
    expect((await one.send('POST', `cron/${foreign}/manual`)).body.error).toBe(`task id ${foreign} does not exist`)
    await one.send('POST', 'batch-delete/cron', [foreign])
    expect(world.server.container.crons.find(foreign)).toBeDefined()
    expect((await one.send('PATCH', `server-group/${group}`, { name: 'mine', servers: [1] })).body.error).toBe(
      `group id ${group} does not exist`,
    )
    const groups = (await one.send('GET', 'server-group')).body.data as { servers: number[] }[]
    expect(groups.map(({ servers }) => servers)).toEqual([[1]])
  })

  test('issue 14: it makes and keeps nothing that follows a selection, for others may join that; what follows already reaches its servers only if it names no others', async () => {
    const following = { server_query: 'name:web', follows: true }
    for (const [path, body] of [
      ['cron', { ...task, ...following, name: 'followed' }],
      ['cron', { ...task, ...following, name: 'followed', server_query: 'id:1' }],
      [
        'service',
        {
          name: 's',
          type: 3,
          target: 'a.example.net:1',
          duration: 30,
          cover: 1,
          skip_servers: { 1: true },
          ...following,
        },
      ],
    ] as const)
      expect((await one.send('POST', path, body)).body.error, path).toBe('permission denied')
    const own = (await one.send('POST', 'cron', { ...task, name: 'stays' })).body.data as number
    expect((await one.send('PATCH', `cron/${own}`, { ...task, name: 'stays', ...following })).body.error).toBe(
      'permission denied',
    )
    expect(world.server.container.crons.find(own)).toMatchObject({ follows: false, servers: [1] })
    // What an administrator lets follow a group is seen while all of it is within the token's servers.
    const group = (await root.api('POST', 'server-group', { name: 'followed', servers: [1] })) as number
    const byGroup = { ...task, name: 'by-group', server_query: 'group:followed', follows: true, servers: [] }
    const foreign = (await root.api('POST', 'cron', byGroup)) as number
    const names = async () => ((await one.send('GET', 'cron')).body.data as { name: string }[]).map(({ name }) => name)
    expect(await names()).toContain('by-group')
    await root.api('PATCH', `server-group/${group}`, { name: 'followed', servers: [1, 2] })
    await expect.poll(() => world.server.container.crons.find(foreign)!.servers).toEqual([1, 2])
    expect(await names()).not.toContain('by-group')
    expect((await one.send('POST', `cron/${foreign}/manual`)).body.error).toBe(`task id ${foreign} does not exist`)
  })

  test('when the last of its servers is deleted it reaches none, instead of all', async () => {
    const { id } = await world.server.container.servers.enrol({ uuid: uuidOf(8), ownerId: 0 })
    const script = await createScript(world, root, { scopes: ['nezha:inventory:read'], server_ids: [id] })
    expect((await script.send('GET', 'server')).body.data).toMatchObject([{ id }])
    const cron = (await root.api('POST', 'cron', { ...task, servers: [id] })) as number
    await root.api('POST', 'batch-delete/server', [id])
    const { crons, apiTokens } = world.server.container
    await expect.poll(() => crons.find(cron)!.servers).toEqual([])
    expect((await script.send('GET', 'server')).body.data ?? []).toEqual([])
    expect(apiTokens.find(script.id)!.server_ids).toEqual([id])
  })

  test('what concerns the whole site is not for it', async () => {
    const { error } = (await one.send('PATCH', 'setting', { user_template: 'user-dist', site_name: 'x' })).body
    expect(error).toBe('permission denied')
    expect(world.server.container.settings.get().site_name).not.toBe('x')
  })
})
