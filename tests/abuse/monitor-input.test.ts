import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let browser: Browser

beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
})
afterAll(() => world.close())

describe('bad input', () => {
  const base = { name: 'x', type: 3, target: '127.0.0.1:80', duration: 30 }
  const typeText = (type: unknown) =>
    `invalid service monitor type ${type}: allowed types are 1 (HTTP GET), 2 (ICMP ping), and 3 (TCP ping)`

  test.each([
    [{ type: 0 }, typeText(0)],
    [{ type: 4 }, typeText(4)],
    [{ cover: 2 }, 'permission denied'],
    [{ target: '' }, /^target/],
    [{ target: 'no-port' }, /^target/],
    [{ type: 1, target: 'ftp://a/' }, /^target/],
    [{ type: 2, target: '-f' }, /^target/],
    [{ type: 2, target: 'a;reboot' }, /^target/],
    [{ type: 2, target: `a\n${'b'.repeat(9)}` }, /^target/],
    [{ target: 'x'.repeat(1_000_000) }, /^target/],
    [{ duration: -1 }, /^duration/],
    [{ duration: 1e300 }, /^duration/],
    [{ duration: 'often' }, /^duration/],
    [{ max_latency: -1 }, /^max_latency/],
    [{ min_latency: 'fast' }, /^min_latency/],
    [{ skip_servers: [1] }, /^skip_servers/],
    [{ fail_trigger_tasks: [null] }, /^fail_trigger_tasks/],
    [{ name: '' }, /^name/],
  ])('%j', async (fields, text) => {
    const { status, body } = await browser.send('POST', '/api/v1/service', { body: { ...base, ...fields } })
    expect(status).toBe(200)
    expect(body.error).toMatch(typeof text === 'string' ? new RegExp(`^${text.replace(/[()]/g, '\\$&')}$`) : text)
  })

  test('a duration of 0 is 30, a short one is taken, blanks around a target are not kept', async () => {
    const id = await browser.api('POST', 'service', { ...base, target: ' 127.0.0.1:80 ', duration: 0 })
    const short = await browser.api('POST', 'service', { ...base, duration: 1 })
    const rows = (await browser.api('GET', `service/list?id=${id},${short}`)) as object[]
    expect(rows).toMatchObject([{ target: '127.0.0.1:80', duration: 30 }, { duration: 1 }])
  })
})
