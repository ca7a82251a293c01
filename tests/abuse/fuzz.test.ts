import { resources } from '@qd/core/resources'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
  // Readings of hosts end at once.
  const refuse = () => ({ data: '', successful: false })
  await world.agent({ uuid: uuidOf(1), onCommand: refuse, onTask: refuse })
})
afterAll(() => world.close())

/** Numbers that are the same in every run (Park and Miller). */
let seed = 11
const random = (most: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % most
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)]!

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']
const ids = ['0', '1', '2', '-1', '1.5', '99999999999999999999', 'x', '%00', '%ff', '%E0%A4%A', '..%2f', '', ' ', "'--"]
const values = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  'x',
  '\u0000',
  '\ud800',
  '9'.repeat(400),
  '%n%s',
  [],
  [1],
  [[]],
  [null],
  {},
  { a: 1 },
  { id: { $gt: 0 } },
  '2026-01-01T00:00:00Z',
]
/** What would end the session all calls are made with, or take a minute. */
const spared = /^(logout|session|account|profile|user|refresh-token|batch-delete\/(user|session))/

const places = [
  ...resources.flatMap(({ wire, actions, serverChecks, initial }) => [
    wire.path,
    `${wire.path}/{id}`,
    wire.calls.list.path,
    wire.calls.delete.path,
    ...Object.values(actions).flatMap((action) => (action.wire ? [action.wire.path] : [])),
    ...Object.values(serverChecks).map((check) => check.call(initial, null).path),
  ]),
  'history',
  'server/{id}/event',
  'server/{id}/metrics',
  'service/{id}/history',
  'server/config/{id}',
  'login',
  'step-up',
  'capabilities',
].filter((path): path is string => typeof path === 'string' && path !== '' && !spared.test(path))

const fields = resources.flatMap((resource) => Object.keys(resource.fields))

function body(): string | undefined {
  const shape = random(6)
  if (shape === 0) return undefined
  if (shape === 1) return JSON.stringify(pick(values))
  const record = Object.fromEntries(Array.from({ length: 1 + random(6) }, () => [pick(fields), pick(values)]))
  const text = JSON.stringify(shape === 2 ? [record] : record)
  // Bytes that are lost, doubled or turned.
  if (shape === 3) return text.slice(0, random(text.length))
  if (shape === 4) return text.replace(/./g, (char) => (random(20) === 0 ? String.fromCharCode(random(255)) : char))
  return text
}

const query = () =>
  random(2) ? '' : `?${pick(fields)}=${pick(ids)}&limit=${pick(ids)}&from=${pick(ids)}&metric=${pick(ids)}`

test('issue 11: 3,000 requests of any kind are answered without a 500, and nothing is broken by them', async () => {
  const broken: string[] = []
  for (let count = 0; count < 3000; count += 1) {
    const method = pick(methods)
    const path = `/api/v1/${pick(places).replace('{id}', encodeURI(pick(ids)).replaceAll('%25', '%'))}${query()}`
    const text = method === 'GET' ? undefined : body()
    const answer = await browser.send(method, path.replaceAll(' ', '%20'), {
      ...(text !== undefined && { bodyText: text, headers: { 'Content-Type': 'application/json' } }),
      bare: random(8) === 0,
    })
    if (answer.status >= 500) broken.push(`${answer.status} ${method} ${path} ${text?.slice(0, 200)}`)
  }
  expect(broken).toEqual([])
  expect(world.log.filter((line) => line.includes('request failed'))).toEqual([])
  expect((await browser.send('GET', '/healthz')).text).toBe('{"success":true}')
  expect(await browser.api('GET', 'profile')).toMatchObject({ username: 'admin' })
}, 120_000)
