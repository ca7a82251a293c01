import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openShell } from '../support/shells.ts'
import { admin, createWorld, type World } from '../support/world.ts'

interface Row {
  id: number
  kind: string
  is_current: boolean
  server_id?: number
  owner: { username: string }
}

let world: World
let agent: SimulatedAgent
let browser: Browser

beforeAll(async () => {
  world = await createWorld()
  agent = await world.agent()
})
afterAll(() => world.close())
beforeEach(async () => {
  browser = await world.login()
})

const list = async (from: Browser) => ((await from.api('GET', 'session')) ?? []) as Row[]
const revoke = (from: Browser, id: number) => from.send('POST', `/api/v1/session/${id}/revoke`, {})

test('D9 another sign-in is seen and ended, the own one stays', async () => {
  const other = await world.login()
  const theirs = (await list(other)).find((row) => row.is_current)!
  expect((await list(browser)).find(({ id }) => id === theirs.id)).toMatchObject({ kind: 'sign-in', is_current: false })
  expect((await revoke(browser, theirs.id)).body.success).toBe(true)
  expect((await other.send('GET', '/api/v1/profile')).body.error).toContain('ApiErrorUnauthorized')
  expect(await browser.api('GET', 'profile')).toMatchObject({ username: 'admin' })
  expect((await list(browser)).map(({ id }) => id)).not.toContain(theirs.id)
})

test('issue 12.12: after a password change the session that changed it has a new cookie, the old one is dead, and other sign-ins have ended', async () => {
  const { browser: mara, password } = await world.member('mara')
  const other = createBrowser(world.origin)
  await other.login('mara', password)
  const before = new Map(mara.cookies)
  const changed = await mara.send('POST', '/api/v1/profile', {
    body: {
      original_password: password,
      new_username: 'mara',
      new_password: 'another long password',
      reject_password: false,
    },
  })
  expect(changed.body.success).toBe(true)
  expect(mara.cookies.get('nz-jwt')).toBeTruthy()
  expect(mara.cookies.get('nz-jwt')).not.toBe(before.get('nz-jwt'))
  expect(await mara.api('GET', 'profile')).toMatchObject({ username: 'mara' })
  const stolen = createBrowser(world.origin)
  for (const [name, value] of before) stolen.cookies.set(name, value)
  for (const gone of [stolen, other])
    expect((await gone.send('GET', '/api/v1/profile')).body.error).toContain('ApiErrorUnauthorized')
})

test('D9 an open shell is seen with its server and closed', async () => {
  const { socket } = await openShell(world, { browser, serverId: 1, agent, ours: true })
  const shell = (await list(browser)).find(({ kind }) => kind === 'shell')!
  expect(shell).toMatchObject({ server_id: 1, owner: { username: 'admin' } })
  await revoke(browser, shell.id)
  expect(await socket.closed()).toMatchObject({ code: 4002 })
  await vi.waitFor(() => expect(world.server.container.streams.count()).toBe(0), 30_000)
})

test('S-25 a member sees and ends own sessions only; the answer for others is that of no session', async () => {
  const member = await world.member('kim')
  const mine = await list(member.browser)
  expect(new Set(mine.map(({ owner }) => owner.username))).toEqual(new Set(['kim']))
  const theirs = (await list(browser)).find(({ is_current }) => is_current)!
  const [foreign, unknown] = await Promise.all([revoke(member.browser, theirs.id), revoke(member.browser, 12345)])
  expect(foreign.body.code).toBe('notFound')
  expect(foreign.body.error?.replace(String(theirs.id), '')).toBe(unknown.body.error?.replace('12345', ''))
  expect(await browser.api('GET', 'profile')).toMatchObject({ username: 'admin' })
})

test('the list tells no secret: what it shows opens nothing', async () => {
  const text = JSON.stringify(await list(browser))
  const stored = await world.server.container.db.selectFrom('sessions').select('id').execute()
  for (const { id } of stored) expect(text).not.toContain(id)
})

test('S-36 an API token neither lists nor ends sessions', async () => {
  const script = await createScript(world, browser, { scopes: ['nezha:*'] })
  expect((await script.send('GET', 'session')).status).toBe(403)
})

test('decisions, "Session length, address binding": both are settings; the cookie lasts as long', async () => {
  const config = ((await browser.api('GET', 'setting')) as { config: object }).config
  await browser.api('PATCH', 'setting', { ...config, session_days: 2, session_bound_to_address: true })
  const signIn = { body: { username: admin.username, password: admin.password } }
  const here = world.guest()
  const { headers } = await here.send('POST', '/api/v1/login', signIn)
  expect(String(headers['set-cookie'])).toContain(`Max-Age=${2 * 86_400};`)
  const profile = (from?: string) => here.send('GET', '/api/v1/profile', from === undefined ? {} : { from })
  expect((await profile()).body.success).toBe(true)
  expect((await profile('127.0.0.5')).body.error).toContain('ApiErrorUnauthorized')
  await browser.api('PATCH', 'setting', { ...config, session_bound_to_address: false })
  expect((await profile('127.0.0.5')).body.success).toBe(true)
})
