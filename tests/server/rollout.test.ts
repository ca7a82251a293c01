import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let agents: SimulatedAgent[]

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  agents = await Promise.all([1, 2, 3].map((n) => world.agent({ uuid: uuidOf(n) })))
})
afterAll(() => world.close())

interface Run {
  rollout: { state: string } | null
  items: { server_id: number; state: string; reason: string | null }[]
}
const runOf = async (id: number) => (await root.api('GET', `run/${id}`)) as Run
const statesOf = async (id: number) =>
  (await runOf(id)).items.sort((a, b) => a.server_id - b.server_id).map(({ state, reason }) => reason ?? state)

test('C-15 a rollout over HTTP: canary, a restart of the server that pauses it, resume, stop', async () => {
  const ids = ['1', '2', '3'].map((n) => world.server.container.servers.byUuid(uuidOf(Number(n)))!.id).sort()
  const body = { servers: ids, canary: 1, batch: 1, max_failures: 0 }
  const first = ids[0]!
  const answer = (await root.api('POST', 'force-update/server', body)) as { success: number[]; run_id: number }
  expect(answer).toEqual({ success: [first], run_id: expect.any(Number) })
  const run = answer.run_id
  const canary = agents.findIndex(({ uuid }) => world.server.container.servers.byUuid(uuid)!.id === first)
  expect((await agents[canary]!.nextTask()).type).toBe(6n)
  expect(await statesOf(run)).toEqual(['sent', 'waiting', 'waiting'])
  const alice = await world.member('alice')
  for (const action of ['pause', 'stop'])
    expect((await alice.browser.send('POST', `/api/v1/run/${run}/${action}`)).body.code).toBe('notFound')

  await world.restart()
  root = await world.login()
  expect((await runOf(run)).rollout?.state).toBe('paused')
  expect((await root.send('POST', `/api/v1/run/${run}/pause`)).body).toMatchObject({ code: 'blocked' })
  const { servers } = world.server.container
  agents = await Promise.all(
    [1, 2, 3].map((n) =>
      world.agent({
        uuid: uuidOf(n),
        host: { version: servers.byUuid(uuidOf(n))!.id === first ? '2.4.0' : '2.3.3' },
      }),
    ),
  )
  await expect.poll(() => statesOf(run)).toEqual(['success', 'waiting', 'waiting'])
  await root.api('POST', `run/${run}/resume`)
  expect(await statesOf(run)).toEqual(['success', 'sent', 'waiting'])
  await root.api('POST', `run/${run}/stop`)
  expect(await statesOf(run)).toEqual(['success', 'sent', 'stopped'])
  for (const action of ['resume', 'pause', 'stop'])
    expect((await root.send('POST', `/api/v1/run/${run}/${action}`)).body).toMatchObject({ code: 'blocked' })
})

test('runs by hand ask for the password again above ten servers, commands always, and what repeats them too', async () => {
  const clock = createFakeClock()
  const fleet = await createWorld({ clock })
  const admin = await fleet.login()
  const { servers } = fleet.server.container
  for (let n = 1; n <= 11; n += 1) await servers.enrol({ uuid: uuidOf(n), ownerId: 0 })
  const task = (except: number[]) =>
    admin.api('POST', 'cron', { name: 'all', task_type: 1, command: 'id', cover: 1, servers: except })
  const [many, ten] = [await task([]), await task([1])]
  const exec = { servers: [1], command: 'id', time_limit: 5 }
  const { run_id } = (await admin.api('POST', 'exec', exec)) as { run_id: number }

  await clock.advance(11 * 60_000)
  const codeOf = async (path: string, body?: unknown) =>
    (await admin.send('POST', `/api/v1/${path}`, { body })).body.code
  expect(await codeOf(`cron/${ten}/manual`)).toBeUndefined()
  const asking = [`cron/${many}/manual`, `run/${run_id}/again`]
  for (const path of asking) expect(await codeOf(path)).toBe('stepUpRequired')
  expect(await codeOf('exec', exec)).toBe('stepUpRequired')
  await admin.api('POST', 'step-up', { password: 'correct horse battery' })
  for (const path of asking) expect(await codeOf(path)).toBeUndefined()
  expect(await codeOf('exec', exec)).toBeUndefined()
  await fleet.close()
})

test('S-36 a token for one server gets no run that went to another', async () => {
  const fleet = await createWorld()
  const admin = await fleet.login()
  const { servers } = fleet.server.container
  for (let n = 1; n <= 2; n += 1) await servers.enrol({ uuid: uuidOf(n), ownerId: 0 })
  const { token } = (await admin.api('POST', 'api-tokens', { name: 't', scopes: ['nezha:*'], server_ids: [1] })) as {
    token: string
  }
  const guest = fleet.guest()
  const call = async (method: string, path: string, body?: unknown) =>
    (await guest.send(method, `/api/v1/${path}`, { body, headers: { Authorization: `Bearer ${token}` } })).body
  const exec = (ids: number[]) => ({ servers: ids, command: 'id', time_limit: 5 })
  const { run_id } = (await admin.api('POST', 'exec', exec([1, 2]))) as { run_id: number }
  expect((await call('GET', `run/${run_id}`)).code).toBe('notFound')
  expect((await call('POST', `run/${run_id}/again`)).code).toBe('notFound')
  expect((await call('GET', 'run')).code).toBe('forbidden')
  expect((await call('POST', 'exec', exec([2]))).error).toBe('permission denied')
  const own = (await call('POST', 'exec', exec([1]))).data as { run_id: number }
  expect((await call('GET', `run/${own.run_id}`)).data).toMatchObject({ items: [{ server_id: 1 }] })
  expect((await call('GET', 'install?os=linux')).code).toBe('tokenForbidden')
  await fleet.close()
})

test('S-36 repeating a run takes the right to start one of its kind', async () => {
  const fleet = await createWorld()
  const admin = await fleet.login()
  await fleet.server.container.servers.enrol({ uuid: uuidOf(1), ownerId: 0 })
  const { token } = (await admin.api('POST', 'api-tokens', { name: 't', scopes: ['nezha:cron:exec'] })) as {
    token: string
  }
  const runs = [
    ['exec', { servers: [1], command: 'id', time_limit: 5 }],
    ['force-update/server', [1]],
    ['server/config', { servers: [1], config: '{}' }],
  ] as const
  const scopes = ['nezha:server:exec', 'nezha:server:write', 'nezha:server:write']
  for (const [index, [path, body]] of runs.entries()) {
    const { run_id } = (await admin.api('POST', path, body)) as { run_id: number }
    const again = await fleet
      .guest()
      .send('POST', `/api/v1/run/${run_id}/again`, { headers: { Authorization: `Bearer ${token}` } })
    expect(again.body.error).toBe(`ApiErrorForbidden: api token lacks scope ${scopes[index]}`)
  }
  await fleet.close()
})
