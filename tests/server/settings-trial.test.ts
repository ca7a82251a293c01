import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { failWrites } from '../support/server/base.ts'
import { createWorld, type World } from '../support/world.ts'

const clock = createFakeClock()
let world: World
let root: Browser
beforeAll(async () => {
  world = await createWorld({ clock })
  root = await world.login()
})
afterAll(() => world.close())

interface Answered {
  config: Record<string, unknown>
  trial_until?: string
}
const read = async () => (await root.api('GET', 'setting')) as Answered
const change = async (values: object, headers: Record<string, string> = {}, caller = root) => {
  const { config } = await read()
  const body = { user_template: 'user-dist', ...config, ...values }
  return caller.send('PATCH', '/api/v1/setting', { body, headers })
}
const code = '<style>body{display:none}</style>'

test('D6: what can shut somebody out is taken back after a minute unless it is kept', async () => {
  await change({ custom_code_dashboard: code, site_name: 'one', on_trial: true })
  expect(await read()).toMatchObject({ config: { custom_code_dashboard: code }, trial_until: expect.any(String) })
  // Another change in between stays: only what was on trial comes back.
  await change({ site_name: 'two' })
  await clock.advance(59_000)
  expect((await read()).config.custom_code_dashboard).toBe(code)
  await clock.advance(1000)
  await expect.poll(async () => (await read()).config.custom_code_dashboard).toBeUndefined()
  expect(await read()).toMatchObject({ config: { site_name: 'two' } })
  expect((await read()).trial_until).toBeUndefined()
})

test('D6: kept it stays, taken back it is gone at once; two trials end together', async () => {
  await change({ custom_code_dashboard: code, on_trial: true })
  await root.api('POST', 'setting/keep', {})
  await clock.advance(120_000)
  expect((await read()).config.custom_code_dashboard).toBe(code)
  await change({ custom_code_dashboard: 'worse', on_trial: true })
  await change({ custom_code_dashboard: 'worst', agent_real_ip_header: 'X-Agent', on_trial: true })
  await root.api('POST', 'setting/revert', {})
  expect((await read()).config).toMatchObject({ custom_code_dashboard: code })
  expect((await read()).config.agent_real_ip_header).toBeUndefined()
})

test('D6: a client that does not ask for a trial, and a change that shuts nobody out, are saved for good', async () => {
  await change({ custom_code_dashboard: 'tried', on_trial: true })
  await change({ custom_code_dashboard: 'plain' })
  await change({ site_name: 'three', on_trial: true })
  expect((await read()).trial_until).toBeUndefined()
  await clock.advance(120_000)
  expect((await read()).config).toMatchObject({ custom_code_dashboard: 'plain', site_name: 'three' })
})

test('D6: a trial that the server did not live to see confirmed is taken back when it starts', async () => {
  await change({ custom_code_dashboard: 'lost', on_trial: true })
  await world.restart()
  root = await world.login()
  expect((await read()).config.custom_code_dashboard).toBe('plain')
  expect((await read()).trial_until).toBeUndefined()
})

test('D6: a trial whose end can’t be stored goes on; what its time ends is tried again', async () => {
  const { db } = world.server.container
  await change({ custom_code_dashboard: 'unsure', on_trial: true })
  let letThrough = await failWrites(db, 'audit', 'insert')
  for (const path of ['setting/keep', 'setting/revert'])
    expect((await root.send('POST', `/api/v1/${path}`, { body: {} })).body.code).toBe('internal')
  expect((await change({ custom_code_dashboard: 'for good' })).body.code).toBe('internal')
  expect((await change({ agent_real_ip_header: 'X-Agent', on_trial: true })).body.code).toBe('internal')
  await letThrough()
  expect(await read()).toMatchObject({
    config: { custom_code_dashboard: 'unsure' },
    trial_until: new Date(clock.now() + 60_000).toISOString(),
  })
  letThrough = await failWrites(db, 'settings', 'insert')
  const failed = () =>
    world.log.filter((line) => /disk full.*failed to restore the previous settings/.test(line)).length
  await clock.advance(60_000)
  await expect.poll(failed).toBe(1)
  await clock.advance(5000)
  await expect.poll(failed).toBe(2)
  expect(await read()).toMatchObject({ config: { custom_code_dashboard: 'unsure' }, trial_until: expect.any(String) })
  await letThrough()
  await clock.advance(5000)
  await expect.poll(async () => (await read()).config.custom_code_dashboard).toBe('plain')
  expect(await read()).not.toHaveProperty('trial_until')
  expect((await read()).config).not.toHaveProperty('agent_real_ip_header')
})

test('D6: a header by which the present request would come from a blocked address is refused', async () => {
  const { firewall } = world.server.container
  await firewall.block(['203.0.113.9'], { until: null, note: '' })
  const refused = await change({ web_real_ip_header: 'X-Real-IP' }, { 'X-Real-IP': '203.0.113.9' })
  expect(refused.body).toMatchObject({ problems: [{ field: 'web_real_ip_header', code: 'lockOut' }] })
  expect((await read()).config.web_real_ip_header).toBeUndefined()
  const taken = await change({ web_real_ip_header: 'X-Real-IP' }, { 'X-Real-IP': '203.0.113.10' })
  expect(taken.body.success).toBe(true)
  // The allow list is what lets this address in: it cannot be emptied from there.
  const inside = { 'X-Real-IP': '203.0.113.9' }
  await change({ waf_allowlist: ['203.0.113.9'] }, { 'X-Real-IP': '203.0.113.10' })
  expect((await change({ waf_allowlist: [] }, inside)).body).toMatchObject({
    problems: [{ field: 'waf_allowlist', code: 'lockOut' }],
  })
  await change({ waf_allowlist: [], web_real_ip_header: '' }, { 'X-Real-IP': '203.0.113.10' })
})

test('D6: binding sign-ins to their address is refused from another address than that of the sign-in', async () => {
  await change({ web_real_ip_header: 'X-Real-IP' })
  const elsewhere = { 'X-Real-IP': '203.0.113.20' }
  const refused = await change({ session_bound_to_address: true }, elsewhere)
  expect(refused.body).toMatchObject({ problems: [{ field: 'session_bound_to_address', code: 'lockOut' }] })
  expect((await change({ session_bound_to_address: true })).body.success).toBe(true)
  await change({ session_bound_to_address: false, web_real_ip_header: '' })
})

test('D6: only an administrator ends a trial', async () => {
  const { browser } = await world.member('kim')
  const script = await createScript(world, root, { scopes: ['nezha:inventory:read'] })
  await change({ custom_code_dashboard: 'mine', on_trial: true })
  expect((await browser.send('POST', '/api/v1/setting/keep', { body: {} })).body.success).toBeUndefined()
  expect((await script.send('POST', 'setting/revert', {})).status).toBe(403)
  expect((await read()).trial_until).toBeDefined()
})
