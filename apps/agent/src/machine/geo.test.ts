import type { GeoIP } from '@qd/protocol/agent'
import { beforeEach, expect, test } from 'vitest'
import { createGeo, type Geo, type SendGeo } from './geo.ts'

let now: number
let ipv4: string
let sent: string[]
let answer: () => Promise<bigint>
let geo: Geo
const send: SendGeo = async (report) => {
  sent.push(report.ip!.ipv4)
  return { dashboard_boot_time: await answer() } as GeoIP
}
const turn = async () => {
  geo.reportWhenDue(send)
  await new Promise((resolve) => setImmediate(resolve))
}
beforeEach(() => {
  now = 0
  ipv4 = '203.0.113.7'
  sent = []
  answer = async () => 5n
  geo = createGeo({
    find: async () => ({ ipv4, ipv6: '' }),
    now: () => now,
    periodMs: () => 1000,
    use6: () => false,
    retryMs: 10,
  })
  geo.onServerBoot(5n)
})

test('reported once, and again only when the address has changed', async () => {
  for (; now < 5000; now += 100) await turn()
  expect(sent).toEqual(['203.0.113.7'])
  ipv4 = '203.0.113.8'
  for (; now < 7000; now += 100) await turn()
  expect(sent).toEqual(['203.0.113.7', '203.0.113.8'])
})

test('a server that has started anew is told at once', async () => {
  await turn()
  geo.onServerBoot(5n)
  await turn()
  expect(sent).toHaveLength(1)
  geo.onServerBoot(6n)
  await turn()
  expect(sent).toHaveLength(2)
})

test('a server without a boot time is told after each of its answers', async () => {
  answer = async () => 0n
  await turn()
  await turn()
  expect(sent).toHaveLength(1)
  geo.onServerBoot(0n)
  await turn()
  expect(sent).toHaveLength(2)
})

test('a failed report is tried again after a while, not at every turn', async () => {
  answer = () => Promise.reject(new Error('unavailable'))
  await turn()
  await turn()
  expect(sent).toHaveLength(1)
  now += 10
  await turn()
  expect(sent).toHaveLength(2)
})

test('a slow report is not sent twice', async () => {
  let finish: (boot: bigint) => void = () => undefined
  answer = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  await turn()
  now += 100
  await turn()
  expect(sent).toHaveLength(1)
  finish(5n)
})
