import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignInProviderRow } from '../store/records/rows.ts'
import { createProviders } from './providers.ts'

let url: string
const answers: Record<string, () => { type?: string; body: string }> = {
  '/login/oauth/access_token': () => ({ body: '{"access_token":"t","token_type":"bearer","scope":""}' }),
  '/api/v3/user': () => ({ body: '{"id":583231,"login":"octocat"}' }),
}
const server = createServer((request, response) => {
  const answer = answers[request.url ?? '']?.()
  if (answer) response.writeHead(200, { 'Content-Type': answer.type ?? 'application/json' }).end(answer.body)
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const providers = createProviders()
const row = (values: Partial<SignInProviderRow>): SignInProviderRow => ({
  ...{ id: 1, owner_id: 1, created_at: 0, updated_at: 0, name: 'Hub', kind: 'github', base_url: url },
  ...{ client_id: 'qd', client_secret: 's', site_url: 'https://qd.example', enabled: true },
  ...values,
})

test('GitHub names a person by a number, and asks for no more than to read who it is', async () => {
  const { redirect, secrets } = await providers.addressOf(row({}), 'state-1')
  expect(redirect).toMatch(/\/login\/oauth\/authorize\?.*scope=read%3Auser&state=state-1/)
  const query = new URLSearchParams({ code: 'c', state: 'state-1' })
  expect(await providers.identify(row({}), { query, state: 'state-1', secrets })).toBe('583231')
})

test('github.com itself is where it is known to be', async () => {
  const { redirect } = await providers.addressOf(row({ base_url: 'https://github.com' }), 's')
  expect(redirect.startsWith('https://github.com/login/oauth/authorize?')).toBe(true)
})

test('a slow provider is given up, one that is down is named with what happened', async () => {
  const slow = createProviders({ timeoutMs: 100 }).addressOf(row({ kind: 'oidc' }), 's')
  await expect(slow).rejects.toMatchObject({ code: 'oauthProvider', params: { provider: 'Hub' } })
  const down = providers.addressOf(row({ kind: 'oidc', base_url: 'http://127.0.0.1:9' }), 's')
  await expect(down).rejects.toMatchObject({ code: 'oauthProvider', params: { reason: expect.stringMatching(/./) } })
})

test('issue 37.8 what a provider says of itself is asked once, however often a visitor begins', async () => {
  let asked = 0
  let now = 0
  const counting = createProviders({
    now: () => now,
    fetch: async () => {
      asked += 1
      return Response.json({ issuer: 'https://id.example', authorization_endpoint: 'https://id.example/in' })
    },
  })
  const provider = row({ kind: 'oidc', base_url: 'https://id.example' })
  await Promise.all(Array.from({ length: 50 }, () => counting.addressOf(provider, 's')))
  expect(asked).toBe(1)
  now = 11 * 60_000
  await counting.addressOf(provider, 's')
  expect(asked).toBe(2)
})

test.each(['javascript:alert(1)', 'http://id.example/in'])(
  'issue 37.8 a provider that sends people to %s is refused',
  async (authorization_endpoint) => {
    const wrong = createProviders({
      fetch: async () => Response.json({ issuer: 'https://id.example', authorization_endpoint }),
    })
    await expect(wrong.addressOf(row({ kind: 'oidc', base_url: 'https://id.example' }), 's')).rejects.toMatchObject({
      code: 'oauthProvider',
    })
    await expect(wrong.addressOf(row({ kind: 'oidc', base_url: 'http://id.example' }), 's')).rejects.toMatchObject({
      params: { reason: 'its address must start with https://' },
    })
  },
)

test('an answer without an end is not read to its end', async () => {
  answers['/.well-known/openid-configuration'] = () => ({ body: `{"issuer":"${'x'.repeat(2_000_000)}"}` })
  await expect(providers.addressOf(row({ kind: 'oidc' }), 's')).rejects.toMatchObject({
    code: 'oauthProvider',
    params: { reason: 'the answer is too long' },
  })
})
