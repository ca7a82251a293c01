import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from '../support/world.ts'

const pem = (name: string) => readFileSync(new URL(`../data/tls/localhost.${name}.pem`, import.meta.url), 'utf8')
const script = 'console.log("a script that is long enough")'

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { tls: { cert: pem('cert'), key: pem('key') } } })
})
afterAll(() => world.close())

test('without a build every page says how to make one', async () => {
  const answer = await world.guest().send('GET', '/dashboard/')
  expect([answer.status, answer.text]).toEqual([503, 'The console is not built yet. Run: npm run build\n'])
})

describe('with a build', () => {
  beforeAll(() => {
    const web = join(world.data, 'web')
    mkdirSync(join(web, 'assets'), { recursive: true })
    writeFileSync(join(web, 'index.html'), '<!doctype html><head></head>the page')
    writeFileSync(join(web, 'assets/app-1a2b.js'), script)
    writeFileSync(join(web, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
  })

  test('the console has a page of its own where the build made one', async () => {
    const own = join(world.data, 'web/dashboard.html')
    writeFileSync(own, '<!doctype html><head></head>the console')
    const textOf = async (path: string) => (await world.guest().send('GET', path)).text
    expect(await textOf('/dashboard/cron')).toContain('the console')
    expect(await textOf('/dashboard/dashboard.html')).toContain('csp-nonce')
    expect(await textOf('/')).toContain('the page')
    rmSync(own)
    expect(await textOf('/dashboard/cron')).toContain('the page')
  })

  test('S-22, S-24 only pages with custom code may load from elsewhere, and never the sign-in page', async () => {
    const admin = await world.login()
    const { config } = (await admin.api('GET', 'setting')) as { config: Record<string, unknown> }
    const set = (codes: Record<string, string>) => admin.api('PATCH', 'setting', { ...config, ...codes })
    const isOpen = async (path: string) => {
      const policy = String((await world.guest().send('GET', path)).headers['content-security-policy'])
      expect(policy).toMatch(/script-src [^;]*'nonce-/)
      expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/)
      return policy.includes('https:')
    }
    const open = () => Promise.all(['/', '/wall', '/dashboard/cron', '/dashboard/login'].map(isOpen))
    expect(await open()).toEqual([false, false, false, false])
    await set({ custom_code: '<b>hello</b>' })
    expect(await open()).toEqual([true, true, false, false])
    await set({ custom_code: '', custom_code_dashboard: '<b>hello</b>' })
    expect(await open()).toEqual([false, false, true, false])
    await set({ custom_code: '', custom_code_dashboard: '' })
  })

  test.each([
    ['/dashboard/', 200],
    ['/dashboard/login', 200],
    ['/dashboard/cron', 200],
    ['/dashboard/run/7', 200],
    ['/dashboard/settings', 200],
    ['/dashboard/terminal/3', 200],
    ['/', 200],
    ['/server/1', 200],
    ['/wall', 200],
    ['/dashboard/cron?filter=a', 200],
    ['/dashboard/nothing', 404],
    ['/dashboard/assets/missing.js', 404],
    ['/nothing', 404],
    ['/API/v1/setting', 404],
  ])('%s is the page with status %i', async (path, status) => {
    const answer = await world.guest().send('GET', path)
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('the page')
  })

  test('the address without the slash leads to the one with it', async () => {
    const answer = await world.guest().send('GET', '/dashboard')
    expect([answer.status, answer.headers.location]).toEqual([301, '/dashboard/'])
  })

  test('HEAD tells the same without a body', async () => {
    const answer = await world.guest().send('HEAD', '/dashboard/login')
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  describe('issue 17: what the console asks for first stands in its page', () => {
    type First = { answers: Record<string, { data?: Record<string, unknown> }>; fetches: string[] }
    const own = () => join(world.data, 'web/dashboard.html')
    beforeAll(() => writeFileSync(own(), '<!doctype html><html lang="en"><head></head><body>the console</body></html>'))
    afterAll(() => rmSync(own()))
    const pageOf = async (client: Pick<ReturnType<World['guest']>, 'send'>, path: string) => {
      const answer = await client.send('GET', path)
      const [, json] =
        /<script nonce="[^"]+" type="application\/json" id="first-answers">(.*?)<\/script>/.exec(answer.text) ?? []
      return { ...answer, first: json === undefined ? null : (JSON.parse(json) as First) }
    }

    test('with the answers of the API, but no secret and nothing for the next one', async () => {
      const admin = await world.login()
      const page = await pageOf(admin, '/dashboard/cron')
      for (const path of ['capabilities', 'cron', 'server', 'server-group', 'setting'])
        expect(page.first!.answers[path], path).toMatchObject({ success: true })
      const profile = (await admin.api('GET', 'profile')) as Record<string, unknown>
      const { agent_secret: secret, ...shown } = profile
      expect(page.first!.answers.profile).toEqual({ success: true, data: shown })
      expect(String(secret).length).toBeGreaterThan(10)
      expect(page.text).not.toContain(String(secret))
      expect(page.headers['cache-control']).toBe('no-store')
    })

    test('a guest, the sign-in page and an unknown page get none', async () => {
      expect((await pageOf(world.guest(), '/dashboard/cron')).first).toBeNull()
      const admin = await world.login()
      for (const path of ['/dashboard/login', '/dashboard/nothing', '/'])
        expect((await pageOf(admin, path)).first, path).toBeNull()
    })

    test('the frame before the code is the sign-in page for a guest alone', async () => {
      expect((await pageOf(world.guest(), '/dashboard/cron')).text).toContain('<html lang="en-US" data-guest>')
      expect((await pageOf(await world.login(), '/dashboard/cron')).text).toContain('<html lang="en-US">')
    })

    test('a long list and one with secrets are fetched; markup in a name stays text', async () => {
      const admin = await world.login()
      const name = '</script><img src=x onerror=alert(1)>'
      const group = { name, servers: [] }
      await admin.api('POST', 'server-group', group)
      const page = await pageOf(admin, '/dashboard/')
      expect(page.text).not.toContain('<img')
      expect(JSON.stringify(page.first!.answers['server-group'])).toContain(name)
      expect((await pageOf(admin, '/dashboard/notification')).first!.fetches).toContain('notification')
      expect((await pageOf(admin, '/dashboard/profile')).first!.fetches).not.toContain('profile')
      const long = Array.from({ length: 200 }, (_, index) => `${index}`.padStart(120, 'x'))
      for (const each of long) await admin.api('POST', 'server-group', { ...group, name: each })
      expect((await pageOf(admin, '/dashboard/')).first!.fetches).toContain('server-group')
    })
  })

  test('the page itself is compressed, and says the language of the site', async () => {
    const packed = await world.guest().send('GET', '/dashboard/', { headers: { 'Accept-Encoding': 'br' } })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed.bytes).toString()).toContain('the page')
  })

  test('the compressed copy goes to who takes it, with a tag of its own', async () => {
    const path = '/dashboard/assets/app-1a2b.js'
    const plain = await world.guest().send('GET', path)
    const packed = await world.guest().send('GET', path, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } })
    expect([plain.text, plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      script,
      undefined,
      'Accept-Encoding',
    ])
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(script)
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'text/javascript; charset=utf-8' })
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
  })

  test('a new build is seen without a restart', async () => {
    writeFileSync(join(world.data, 'web/index.html'), '<!doctype html><head></head>the page, built anew')
    expect((await world.guest().send('GET', '/')).text).toContain('built anew')
  })
})

test('S-10 on HTTPS the cookies are Secure', async () => {
  const answer = await world.guest().login('admin', 'correct horse battery')
  expect(answer.cookies.map((line) => line.split('; ').includes('Secure'))).toEqual([true, true])
})

test('37.8 over HTTPS of its own, browsers are told to stay there; no page uses the camera and the like', async () => {
  const { headers } = await world.guest().send('GET', '/dashboard/')
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect(headers['permissions-policy']).toContain('camera=()')
})

test('37.1 over HTTPS the session is in a cookie that no sibling name can plant, and the older name still counts', async () => {
  const browser = world.guest()
  const { cookies } = await browser.login('admin', 'correct horse battery')
  expect(cookies[0]).toMatch(/^__Host-nz-jwt=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/)
  const token = browser.cookies.get('__Host-nz-jwt')
  const profile = async (Cookie: string) =>
    (await world.guest().send('GET', '/api/v1/profile', { headers: { Cookie } })).body.success
  expect(await profile(`nz-jwt=${token}`)).toBe(true)
  expect(await profile(`nz-jwt=planted; __Host-nz-jwt=${token}`)).toBe(true)
  await browser.api('POST', 'logout')
  expect([...browser.cookies.keys()]).toEqual([])
})
