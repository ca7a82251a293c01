import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import { failWrites } from '../support/server/base.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser
beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
})
afterAll(() => world.close())

interface User {
  id: number
  username: string
  role: number
  is_self: boolean
  owns: Record<string, number>
  last_used_at?: string
  updated_at: string
}
const password = 'a good long password'
const listed = async () => (await root.api('GET', 'user')) as User[]
const named = async (name: string) => (await listed()).find(({ username }) => username === name)!
const isSignedIn = async (browser: Browser) => (await browser.send('GET', '/api/v1/profile')).body.success === true

describe('issue 14: users', () => {
  test('who is made can sign in, and is listed with what they may and when they were here', async () => {
    const id = await root.api('POST', 'user', { username: ' kim ', password, role: 1 })
    expect(await named('kim')).toMatchObject({ id, role: 1, is_self: false, owns: {} })
    expect((await named('kim')).last_used_at).toBeUndefined()
    const kim = await world.login({ username: 'kim', password })
    expect(await kim.api('GET', 'profile')).toMatchObject({ id, role: 1 })
    expect((await named('kim')).last_used_at).toBeDefined()
    expect(await named('admin')).toMatchObject({ is_self: true })
  })

  test('issue 37.8 a name that looks like another is refused', async () => {
    const id = await root.api('POST', 'user', { username: 'bob', password, role: 1 })
    for (const username of ['Admin', 'b\u200Bob', 'b\u043Eb', '\uFF42\uFF4F\uFF42'])
      expect((await root.send('POST', '/api/v1/user', { body: { username, password, role: 1 } })).body).toMatchObject({
        problems: [{ field: 'username', code: 'looksAlike' }],
      })
    await root.api('POST', 'batch-delete/user', [id])
  })

  test('names are taken once, and a role must be said', async () => {
    const refused = async (body: object) => (await root.send('POST', '/api/v1/user', { body })).body
    expect(await refused({ username: 'kim', password, role: 1 })).toMatchObject({
      code: 'invalid',
      problems: [{ field: 'username', code: 'taken' }],
    })
    expect(await refused({ username: 'lee', password })).toMatchObject({ error: 'invalid role' })
    expect(await refused({ username: 'lee', role: 1 })).toMatchObject({ problems: [{ field: 'new_password' }] })
  })

  test('an edit without a password keeps it and the sign-ins; a new role or password ends them (S-08)', async () => {
    const { id } = await named('kim')
    const kim = await world.login({ username: 'kim', password })
    await root.api('PATCH', `user/${id}`, { username: 'kim2', role: 1, password: '' })
    expect([await isSignedIn(kim), (await named('kim2')).id]).toEqual([true, id])
    await root.api('PATCH', `user/${id}`, { username: 'kim', role: 0 })
    expect([await isSignedIn(kim), (await named('kim')).role]).toEqual([false, 0])
    const again = await world.login({ username: 'kim', password })
    await root.api('PATCH', `user/${id}`, { username: 'kim', role: 1, password: 'quite another one' })
    expect(await isSignedIn(again)).toBe(false)
    await expect(world.login({ username: 'kim', password })).rejects.toThrow()
    expect(await isSignedIn(await world.login({ username: 'kim', password: 'quite another one' }))).toBe(true)
  })

  test('of two who edit the same user the second is told', async () => {
    const { id, updated_at } = await named('kim')
    const edit = (username: string) =>
      root.send('PATCH', `/api/v1/user/${id}`, {
        body: { username, role: 1 },
        headers: { 'If-Match': `"${updated_at}"` },
      })
    expect((await edit('kim')).status).toBe(200)
    expect((await edit('other')).body.code).toBe('conflict')
  })

  test('nobody changes or deletes themselves, so that an admin is left', async () => {
    const edit = await root.send('PATCH', '/api/v1/user/1', { body: { username: 'admin', role: 1 } })
    expect(edit.body).toMatchObject({ code: 'blocked', params: { reason: 'self' } })
    const gone = await root.send('POST', '/api/v1/batch-delete/user', { body: [(await named('kim')).id, 1] })
    expect(gone.body.error).toBe("can't delete yourself")
    expect((await listed()).map(({ username }) => username)).toEqual(['admin', 'kim'])
  })

  test('of two admins who take the role from each other at once, one stays', async () => {
    const makeAdmin = (username: string) => root.api('POST', 'user', { username, password, role: 0 })
    const ids = [await makeAdmin('one'), await makeAdmin('two')] as [number, number]
    const one = await world.login({ username: 'one', password })
    const two = await world.login({ username: 'two', password })
    // Making a password's hash takes its time: both have been let in before either is done.
    const body = (username: string) => ({ body: { username, role: 1, password: 'quite another one' } })
    await Promise.all([
      one.send('PATCH', `/api/v1/user/${ids[1]}`, body('two')),
      two.send('PATCH', `/api/v1/user/${ids[0]}`, body('one')),
    ])
    const left = (await listed()).filter(({ username, role }) => ['one', 'two'].includes(username) && role === 0)
    expect(left).toHaveLength(1)
    await root.api('POST', 'batch-delete/user', ids)
  })

  test('an API token that may administer lists users and makes none (contract http-api 11)', async () => {
    const { token } = (await root.api('POST', 'api-tokens', { name: 'a', scopes: ['nezha:admin:*'] })) as {
      token: string
    }
    const script = world.guest()
    const headers = { Authorization: `Bearer ${token}` }
    expect((await script.send('GET', '/api/v1/user', { headers })).body.success).toBe(true)
    for (const [method, path] of [
      ['POST', 'user'],
      ['PATCH', `user/${(await named('kim')).id}`],
    ] as const) {
      const body = { username: 'eve', password, role: 0 }
      expect((await script.send(method, `/api/v1/${path}`, { headers, body })).status).toBe(403)
    }
    expect(await named('eve')).toBeUndefined()
  })

  test('S-08 who is deleted takes along what is theirs: sign-ins, sockets, tokens, agents and records end at once', async () => {
    const { browser: pat, id, secret } = await world.member('pat')
    const agent = await world.agent({ secret })
    const [server] = (await pat.api('GET', 'server')) as { id: number }[]
    await pat.api('POST', 'server-group', { name: 'theirs', servers: [server!.id] })
    const mine = await root.api('POST', 'server-group', { name: 'mine', servers: [server!.id] })
    const { token } = (await pat.api('POST', 'api-tokens', { name: 't', scopes: ['nezha:inventory:read'] })) as {
      token: string
    }
    const socket = await openSocket(world, { browser: pat })
    expect((await named('pat')).owns).toEqual({ server: 1, 'server-group': 1, 'api-token': 1 })

    await root.api('POST', 'batch-delete/user', [id, 99])
    await socket.take(({ event }) => event === 'close')
    expect(world.server.container.agents.connected(server!.id)).toBe(false)
    agent.vanish()
    expect(await isSignedIn(pat)).toBe(false)
    const headers = { Authorization: `Bearer ${token}` }
    expect((await world.guest().send('GET', '/api/v1/server', { headers })).status).toBe(401)
    expect(await root.send('GET', '/api/v1/server').then(({ body }) => body.data)).toBeUndefined()
    expect(await root.api('GET', 'server-group')).toEqual([
      { group: expect.objectContaining({ id: mine, name: 'mine' }), servers: null, owner: expect.anything() },
    ])
    expect(world.server.container.accounts.ownerOfSecret(secret)).toBeNull()
    await world.restart()
    root = await world.login()
    expect(await listed()).toHaveLength(2)
  })

  test('S-08 of several who are deleted, each ends, also if records of another can’t be deleted; a repeat deletes those', async () => {
    const { browser: first, id } = await world.member('first')
    const { browser: second, id: next } = await world.member('second')
    const { db, accounts, bindings, sessions } = world.server.container
    const groups = () => root.api('GET', 'server-group') as Promise<{ group: { name: string } }[]>
    const before = await groups()
    await first.api('POST', 'server-group', { name: 'stays' })
    await second.api('POST', 'cron', { name: 'goes', task_type: 1, command: 'id' })
    await bindings.bind({ user_id: next, provider_id: 1, open_id: 'second-there' })
    const socket = await openSocket(world, { browser: second })
    const remove = () => root.send('POST', '/api/v1/batch-delete/user', { body: [id, next] })
    const letThrough = await failWrites(db, 'server_groups', 'delete')
    expect((await remove()).body.code).toBe('internal')
    await letThrough()
    await socket.take(({ event }) => event === 'close')
    expect([accounts.find(next), sessions.all().filter(({ user_id }) => user_id === next)]).toEqual([undefined, []])
    expect([await isSignedIn(second), bindings.ownerOf(1, 'second-there')]).toEqual([false, null])
    expect(await db.selectFrom('oauth2_bindings').selectAll().execute()).toEqual([])
    expect(await root.send('GET', '/api/v1/cron').then(({ body }) => body.data)).toBeUndefined()
    expect((await groups()).map(({ group }) => group.name)).toContain('stays')
    expect((await remove()).body.success).toBe(true)
    expect(await groups()).toEqual(before)
  })

  test('with a user who is deleted, stored sign-ins and bindings go in one step', async () => {
    const { id } = await world.member('whole')
    const { db, accounts, bindings, sessions } = world.server.container
    await bindings.bind({ user_id: id, provider_id: 1, open_id: 'whole-there' })
    const stored = async () => [
      await db.selectFrom('sessions').select('user_id').where('user_id', '=', id).execute(),
      await db.selectFrom('oauth2_bindings').select('open_id').execute(),
    ]
    const before = await stored()
    expect(before.map((rows) => rows.length)).toEqual([1, 1])
    const ending = () => sessions.endingUsers([id])
    const refuse = () => Promise.reject(new Error('no entry'))
    await expect(accounts.remove([id], refuse, ending())).rejects.toThrow('no entry')
    expect([accounts.find(id)?.username, await stored()]).toEqual(['whole', before])
    await accounts.remove([id], undefined, ending())
    expect([accounts.find(id), sessions.all().filter(({ user_id }) => user_id === id), await stored()]).toEqual([
      undefined,
      [],
      [[], []],
    ])
  })
})
