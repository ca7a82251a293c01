import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type FakeDns, startFakeDns } from '../support/peers/fake-dns.ts'
import { dnsSecrets, type FakeDnsApis, startFakeDnsApis } from '../support/peers/fake-dns-apis.ts'
import { type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let root: Browser
let apis: FakeDnsApis
let dns: FakeDns
let hook: Receiver
let serverId: number

const profileOf = (fields: object) => ({
  name: 'home',
  provider: 'dummy',
  domains: ['home.example.net'],
  enable_ipv4: true,
  enable_ipv6: false,
  max_retries: 1,
  ...fields,
})
interface Result {
  domain: string
  record: string
  address: string
  error: string
  tries: number
}
interface Row {
  id: number
  domains: string[] | null
  has_access_secret?: boolean
  access_secret?: string
  webhook_request_body?: string
  masked_headers?: string
  masked_body?: string
  results?: Record<string, Result>
}
const list = async (browser = root) => ((await browser.api('GET', 'ddns')) ?? []) as Row[]
const resultsOf = async (id: number) => Object.values((await list()).find((row) => row.id === id)?.results ?? {})
const create = (fields: object, browser = root) => browser.api('POST', 'ddns', profileOf(fields)) as Promise<number>
const follow = (ids: readonly number[], more: object = {}) =>
  root.api('PATCH', `server/${serverId}`, { name: 'web-1', enable_ddns: true, ddns_profiles: ids, ...more })
/** Saved with this profile, a server is updated at once; that is waited for. */
async function published(fields: object, more: object = {}) {
  const id = await create(fields)
  await follow([id], more)
  await expect.poll(() => resultsOf(id)).not.toEqual([])
  return { id, results: await resultsOf(id) }
}
const errorOf = async (method: string, path: string, body: unknown, browser = root) =>
  (await browser.send(method, `/api/v1/${path}`, { body })).body.error

beforeAll(async () => {
  apis = await startFakeDnsApis()
  dns = await startFakeDns(['example.net'])
  hook = await startReceiver()
  world = await createWorld({ config: { ddnsOrigins: apis.origins } })
  root = await world.login()
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', {
    ...config,
    dns_servers: dns.address,
    outbound_allowlist: [`127.0.0.1:${apis.port}`, `127.0.0.1:${hook.port}`],
  })
  await world.agent()
  serverId = ((await root.api('GET', 'server')) as { id: number }[])[0]!.id
})
beforeEach(() => {
  apis.instead = null
  apis.records.length = 0
  apis.calls.length = 0
})
afterAll(async () => {
  await world.close()
  await Promise.all([apis.close(), dns.close(), hook.close()])
})

describe('providers', () => {
  test('cloudflare: a record is made, then changed, then left as it is; several of one name are not touched', async () => {
    const fields = { provider: 'cloudflare', access_secret: dnsSecrets.cloudflare }
    const { id, results } = await published(fields)
    expect(results).toMatchObject([{ domain: 'home.example.net', record: 'A', address: '203.0.113.7', error: '' }])
    expect(apis.records).toMatchObject([{ type: 'A', name: 'home.example.net', value: '203.0.113.7' }])
    expect(dns.asked).toContain('home.example.net')

    apis.records[0]!.value = '198.51.100.1'
    await root.api('POST', `ddns/${id}/update`)
    expect(apis.records).toMatchObject([{ value: '203.0.113.7' }])
    apis.calls.length = 0
    await root.api('POST', `ddns/${id}/update`)
    expect(apis.calls).toEqual(['GET /zones', 'GET /zones/zone1/dns_records'])
    apis.records.push({ ...apis.records[0]!, id: 99 })
    await root.api('POST', `ddns/${id}/update`)
    expect((await resultsOf(id))[0]!.error).toBe('cloudflare: home.example.net has several A records')
  })

  test('tencentcloud: the call is signed; a record is made on the default line, then changed', async () => {
    const { id, results } = await published({
      provider: 'tencentcloud',
      access_id: dnsSecrets.id,
      access_secret: dnsSecrets.key,
      domains: ['home.example.net', 'example.net'],
    })
    expect(results.map(({ error }) => error)).toEqual(['', ''])
    expect(apis.records.map(({ name, value }) => `${name} ${value}`).sort()).toEqual([
      'example.net 203.0.113.7',
      'home.example.net 203.0.113.7',
    ])
    apis.records[0]!.value = '198.51.100.1'
    apis.calls.length = 0
    await root.api('POST', `ddns/${id}/update`)
    expect(apis.calls.filter((call) => call === 'ModifyRecord')).toHaveLength(1)
    expect(apis.records[0]!.value).toBe('203.0.113.7')
  })

  test('he: the name must be there; good and nochg are both good', async () => {
    apis.records.push({ id: 1, type: 'A', name: 'home.example.net', value: '198.51.100.1' })
    const { id, results } = await published({ provider: 'he', access_secret: dnsSecrets.he })
    expect(results[0]!.error).toBe('')
    await root.api('POST', `ddns/${id}/update`)
    expect((await resultsOf(id))[0]!.error).toBe('')
    apis.records.length = 0
    await root.api('POST', `ddns/${id}/update`)
    expect((await resultsOf(id))[0]!.error).toBe('he: no such dynamic record; create it there first')
  })

  test('webhook: address, headers and body are filled; an answer that is not 2xx fails (Q21)', async () => {
    const { id } = await published({
      provider: 'webhook',
      access_id: 'me & you',
      access_secret: 'a "quoted" secret',
      webhook_url: `${hook.origin}/set?name=#domain#&id=#access_id#&type=#type#`,
      webhook_method: 5,
      webhook_request_type: 1,
      webhook_headers: '{"X-Key":"#access_secret#","X-Record":"#record#"}',
      webhook_request_body: '{"ip":"#ip#","key":"#access_secret#"}',
    })
    const got = await hook.inbox.next()
    expect(got).toMatchObject({ method: 'PUT', url: '/set?name=home.example.net&id=me+%26+you&type=ipv4' })
    expect(got.headers).toMatchObject({
      'x-key': 'a "quoted" secret',
      'x-record': 'A',
      'content-type': 'application/json',
    })
    expect(JSON.parse(got.body)).toEqual({ ip: '203.0.113.7', key: 'a "quoted" secret' })
    hook.answers = 500
    await root.api('POST', `ddns/${id}/update`)
    expect((await resultsOf(id))[0]!.error).toBe('webhook: answered 500')
    hook.answers = 200
  })
})

describe('trouble', () => {
  test('half of the domains failing is said per domain, and each is tried as often as the profile says', async () => {
    apis.records.push({ id: 1, type: 'A', name: 'good.example.net', value: '' })
    const fields = { provider: 'cloudflare', access_secret: dnsSecrets.cloudflare, max_retries: 3 }
    const { results } = await published({ ...fields, domains: ['good.example.net', 'bad.elsewhere.test'] })
    expect(results.map(({ domain, error, tries }) => [domain, error, tries])).toEqual(
      expect.arrayContaining([
        ['good.example.net', '', 1],
        ['bad.elsewhere.test', 'no zone found for bad.elsewhere.test', 3],
      ]),
    )
  })

  test.each([
    [
      'refusing',
      { status: 403, body: '{"success":false,"errors":[{"code":9109,"message":"Invalid access token"}]}' },
      'cloudflare: Invalid access token (9109)',
    ],
    [
      'nonsense',
      { status: 200, body: '<html>hello</html>' },
      'cloudflare: returned 200, but not a response of its API',
    ],
    ['other JSON', { status: 200, body: '[1,2]' }, 'cloudflare: returned 200, but not a response of its API'],
    [
      'repeating the secret',
      { status: 400, body: `{"success":false,"errors":[{"code":1,"message":"no ${dnsSecrets.cloudflare}"}]}` },
      'cloudflare: no *** (1)',
    ],
  ])('a provider that answers %s', async (_name, instead, error) => {
    apis.instead = instead
    const { results } = await published({ provider: 'cloudflare', access_secret: dnsSecrets.cloudflare })
    expect(results[0]!.error).toBe(error)
  })

  test.each([
    [
      'wrong key',
      { provider: 'tencentcloud', access_id: 'x', access_secret: 'y' },
      /^tencentcloud: The signature does not match/,
    ],
    ['wrong key', { provider: 'he', access_secret: 'nope' }, /^he: wrong key for this hostname/],
    [
      'an address in the own network that is not allowed',
      { provider: 'webhook', webhook_url: 'http://127.0.0.1:1/x' },
      /not allowed/,
    ],
  ])('%s', async (_name, fields, error) => {
    apis.records.push({ id: 1, type: 'A', name: 'home.example.net', value: '' })
    expect((await published(fields)).results[0]!.error).toMatch(error)
  })
})

describe('when it updates', () => {
  test('when the address of an agent changes, and only then', async () => {
    const fields = { provider: 'cloudflare', access_secret: dnsSecrets.cloudflare }
    const { id } = await published(fields)
    await world.agent({ uuid: uuidOf(1), address: '198.51.100.9' })
    await expect.poll(async () => (await resultsOf(id))[0]!.address).toBe('198.51.100.9')
    expect(apis.records[0]!.value).toBe('198.51.100.9')
    apis.calls.length = 0
    await world.agent({ uuid: uuidOf(1), address: '198.51.100.9' })
    await root.api('GET', 'server')
    expect(apis.calls).toEqual([])
  })

  test('a server’s own domains stand in the place of the profile’s', async () => {
    const id = await create({})
    await follow([id], { override_ddns_domains: { [id]: ['Own.Example.net'] } })
    await expect.poll(async () => (await resultsOf(id)).map(({ domain }) => domain)).toEqual(['own.example.net'])
  })

  test('update now says what came of it, and that no server follows', async () => {
    const { id } = await published({})
    expect(await root.api('POST', `ddns/${id}/update`)).toMatchObject({ servers: 1, waiting: 0 })
    const alone = await create({ name: 'alone' })
    expect(await root.api('POST', `ddns/${alone}/update`)).toMatchObject({ servers: 0, results: {} })
  })

  test('a deleted profile leaves the lists of servers and their domains; a server that leaves takes its results', async () => {
    const { id } = await published({})
    const other = await create({ name: 'other' })
    await follow([id, other], { override_ddns_domains: { [id]: ['a.example.net'], [other]: ['b.example.net'] } })
    await root.api('POST', 'batch-delete/ddns', [id])
    const server = async () =>
      ((await root.api('GET', 'server')) as { ddns_profiles: number[]; override_ddns_domains: object }[])[0]!
    await expect
      .poll(server)
      .toMatchObject({ ddns_profiles: [other], override_ddns_domains: { [other]: ['b.example.net'] } })
    expect(Object.keys((await server()).override_ddns_domains)).toEqual([String(other)])
    await expect.poll(() => resultsOf(other)).not.toEqual([])
    await follow([])
    await expect.poll(() => resultsOf(other)).toEqual([])
  })
})

describe('what is refused', () => {
  test.each([
    [
      'a domain that is an address',
      { domains: ['http://a.net/'] },
      'error parsing http://a.net/: idna: disallowed rune U+003A',
    ],
    ['a provider without a key', { provider: 'cloudflare' }, 'access_secret is required'],
    ['a webhook without an address', { provider: 'webhook' }, 'webhook_url is required'],
  ])('%s', async (_name, fields, error) => {
    expect(await errorOf('POST', 'ddns', profileOf(fields))).toBe(error)
  })

  test('secrets are not answered, are kept by an empty value, and do not move to another host (S-35)', async () => {
    const fields = {
      provider: 'webhook',
      access_secret: 'top-secret-1',
      webhook_url: `${hook.origin}/a`,
      webhook_headers: '{"Authorization":"Bearer header-secret"}',
      webhook_method: 2,
      webhook_request_body: '{"token":"body-secret"}',
    }
    const id = await create(fields)
    const text = JSON.stringify(await list())
    for (const secret of ['top-secret-1', 'header-secret', 'body-secret']) expect(text).not.toContain(secret)
    expect((await list()).find((row) => row.id === id)).toMatchObject({ has_access_secret: true })
    const kept = { ...fields, access_secret: '', webhook_headers: '', webhook_request_body: '' }
    expect(await errorOf('PATCH', `ddns/${id}`, profileOf({ ...kept, name: 'renamed' }))).toBeUndefined()
    expect(
      await errorOf('PATCH', `ddns/${id}`, profileOf({ ...kept, webhook_url: 'https://elsewhere.test/' })),
    ).toMatch(/another provider or address/)
    expect(await errorOf('PATCH', `ddns/${id}`, profileOf({ ...kept, provider: 'cloudflare' }))).toMatch(
      /another provider or address/,
    )
  })

  test('members have profiles of their own, and servers of others do not follow them', async () => {
    const { browser: alice } = await world.member('alice')
    const own = await create({ name: 'mine' }, alice)
    expect((await list(alice)).map(({ id }) => id)).toEqual([own])
    expect(await errorOf('POST', `ddns/${own + 1000}/update`, {}, alice)).toMatch(/does not exist/)
    const [roots] = (await list()).filter(({ id }) => id !== own)
    expect(await errorOf('PATCH', `ddns/${roots!.id}`, profileOf({}), alice)).toBe(
      `profile id ${roots!.id} does not exist`,
    )
    expect(await errorOf('POST', `ddns/${roots!.id}/update`, {}, alice)).toMatch(/does not exist/)
  })
})
