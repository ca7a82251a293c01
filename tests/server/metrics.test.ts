import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  const { secret } = await world.member('alice')
  await world.agent({ uuid: uuidOf(1) })
  const second = await world.agent({ uuid: uuidOf(2), secret })
  await root.api('PATCH', 'server/1', { name: 'web "1"\\\nfront' })
  await root.api('PATCH', 'server/2', { name: 'alice-1' })
  await root.api('POST', 'server-group', { name: 'shops', servers: [1] })
  await root.api('POST', 'service', { name: 'site', type: 3, target: '127.0.0.1:1', duration: 86_400 })
  second.vanish()
  const { live } = world.server.container
  while (live.lastActive(2) !== null) await new Promise((resolve) => setImmediate(resolve))
})
afterAll(() => world.close())

const scrape = (headers: Record<string, string> = {}) => world.guest().send('GET', '/metrics', { headers })

/** Values by name with labels. */
function values(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}
const token = async (fields: object) =>
  ((await root.api('POST', 'api-tokens', { name: 'scraper', ...fields })) as { token: string }).token
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` })

test('the fleet is told in the text format, whole lines and escaped labels', async () => {
  const { status, headers, text } = await scrape()
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="([^"\\]|\\.)*"(,\w+="([^"\\]|\\.)*")*\})? -?[\d.e+-]+)$/)
  const web = String.raw`{id="1",name="web \"1\"\\\nfront"}`
  const found = values(text)
  expect(Object.fromEntries([...found].filter(([name]) => name.endsWith(web)))).toMatchObject({
    [`quarterdeck_server_up${web}`]: 1,
    [`quarterdeck_server_cpu_usage_ratio${web}`]: 0.04,
    [`quarterdeck_server_memory_used_bytes${web}`]: 2e9,
    [`quarterdeck_server_memory_total_bytes${web}`]: 8e9,
    [`quarterdeck_server_uptime_seconds${web}`]: 3210,
    [`quarterdeck_server_network_receive_bytes_total${web}`]: 0,
  })
  expect(text).toContain(
    String.raw`quarterdeck_server_info{id="1",name="web \"1\"\\\nfront",groups="shops",platform="debian",version="2.3.3"} 1`,
  )
  expect([found.get('quarterdeck_incidents_open'), found.get('process_cpu_seconds_total')! > 0]).toEqual([0, true])
})

test('what is not known is left out: a server that is gone has no figures, a service without results no state', async () => {
  const { text } = await scrape()
  const found = values(text)
  expect(found.get('quarterdeck_server_up{id="2",name="alice-1"}')).toBe(0)
  expect(found.has('quarterdeck_server_cpu_usage_ratio{id="2",name="alice-1"}')).toBe(false)
  expect(text).not.toContain('temperature')
  expect(text).not.toContain('quarterdeck_service_up')
})

test('it is packed where that is asked for', async () => {
  const { headers, bytes } = await scrape({ 'Accept-Encoding': 'gzip;q=1.0' })
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept-Encoding'])
  expect(gunzipSync(bytes).toString()).toContain('quarterdeck_server_up')
})

describe('without a token', () => {
  test.each([
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Real-IP', '203.0.113.9'],
    ['Forwarded', 'for=203.0.113.9'],
    ['Via', '1.1 proxy'],
    ['Host', 'rebound.example.org'],
  ])('a call with %s: %s is not of this machine', async (name, value) => {
    const { status, text } = await scrape({ [name]: value })
    expect([status, text]).toEqual([401, expect.stringContaining('API token required')])
  })

  test.each(['localhost', 'localhost:8008', '127.0.0.1:9', '[::1]:8008', 'box'])('%s is this machine', async (host) => {
    expect((await scrape({ Host: host })).status).toBe(200)
  })

  test('nobody has it while an address is taken from a header', async () => {
    const { config } = (await root.api('GET', 'setting')) as { config: object }
    const put = (web_real_ip_header: string) =>
      root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', web_real_ip_header })
    await put('X-Real-IP')
    expect((await scrape()).status).toBe(401)
    expect((await scrape(bearer(await token({ scopes: ['nezha:inventory:read'] })))).status).toBe(200)
    await put('')
    expect((await scrape()).status).toBe(200)
  })

  test('a cookie is no token, and a token in the address is none either', async () => {
    const cookie = [...root.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await scrape({ Cookie: cookie, Via: '1.1 proxy' })).status).toBe(401)
    const text = await token({ scopes: ['nezha:*'] })
    expect((await world.guest().send('GET', `/metrics?token=${text}`)).status).toBe(401)
  })
})

describe('with a token', () => {
  const via = { Via: '1.1 proxy' }

  test('that may read the inventory', async () => {
    const good = await scrape({ ...via, ...bearer(await token({ scopes: ['nezha:inventory:read'] })) })
    expect([good.status, values(good.text).has('quarterdeck_server_up{id="2",name="alice-1"}')]).toEqual([200, true])
    expect((await scrape({ ...via, ...bearer(await token({ scopes: ['nezha:cron:read'] })) })).status).toBe(403)
    expect((await scrape(bearer('nzp_00000000000000000000000000000000'))).status).toBe(401)
    expect((await scrape(bearer('something else'))).status).toBe(401)
  })

  test('only its servers are told', async () => {
    const { text } = await scrape(bearer(await token({ scopes: ['nezha:*'], server_ids: [2] })))
    expect([...values(text).keys()].filter((name) => name.startsWith('quarterdeck_server_up'))).toEqual([
      'quarterdeck_server_up{id="2",name="alice-1"}',
    ])
    expect(text).not.toContain('shops')
    const alice = await world.login({ username: 'alice', password: 'alice has a password' })
    const made = (await alice.api('POST', 'api-tokens', { name: 's', scopes: ['nezha:inventory:read'] })) as {
      token: string
    }
    expect((await scrape(bearer(made.token))).text).not.toContain('id="1"')
  })
})

test('only GET is answered', async () => {
  const answer = await world.guest().send('POST', '/metrics', { body: {} })
  expect(answer.text).not.toContain('quarterdeck_server_up')
})
