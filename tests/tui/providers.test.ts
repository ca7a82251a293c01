import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeProvider, startFakeProvider } from '../support/peers/fake-provider.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, createWorld, type World } from '../support/world.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let world: World
let there: FakeProvider
let screen: Screen | undefined
const home = mkdtempSync(join(tmpdir(), 'qd-providers-'))

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  there = await startFakeProvider()
  const root = await world.login()
  await root.api('POST', 'sign-in-provider', {
    ...{ name: 'House', kind: 'oidc', base_url: there.url, site_url: world.origin, enabled: true },
    ...{ client_id: 'qd', client_secret: 'kept' },
  })
})
afterAll(async () => {
  await screen?.close()
  await there?.close()
  await world?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

/** Runs `qd` with these words, goes where it says in a browser of nobody, and types what the page shows. */
async function through(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  screen = startScreen({ qd: programs.qd, url: world.origin, home, columns: 700, rows: 24, signedIn: false, args, env })
  const [address] = /http:\S+\/authorize\S+/.exec(await screen.shows(/http:\S+\/authorize\S+/))!
  const { pathname, search } = new URL(there.agree(address))
  const page = await world.guest().send('GET', `${pathname}${search}`)
  const [, code] = /<code[^>]*>(\w{12})<\/code>/.exec(page.text)!
  await screen.press(...code!, 'Enter')
}

test('C-27: an account is bound and signs in by an address that is opened anywhere and a code that is typed back', async () => {
  await through(['account', 'bind', 'House'], { QD_USER: admin.username, QD_PASSWORD: admin.password })
  await screen!.shows('House is bound')
  expect((await screen!.ended).code).toBe(0)
  await screen!.close()
  await through(['login', '--provider', 'House'])
  await screen!.shows(/Signed in to \S+ as admin/)
  expect((await screen!.ended).code).toBe(0)
})

test('issue 14: the terminal UI binds a provider too: it shows the address, copies it, and takes the code', async () => {
  await world.server.container.bindings.unbind(world.server.container.accounts.byName(admin.username)!.id, 1)
  await screen?.close()
  screen = startScreen({ qd: programs.qd, url: world.origin, home, columns: 100, rows: 36 })
  await screen.shows('live')
  await screen.press(':', ...'account bind', 'Enter')
  await screen.shows(/Provider +House/)
  await screen.press('Ctrl+s')
  await screen.shows(/Open this address in a browser[\s\S]*authorize[\s\S]*Code shown on the page/)
  await screen.press('Ctrl+y')
  const copied = () => /\u001b\]52;c;([\w+/=]+)\u0007/.exec(screen!.written())?.[1]
  await expect.poll(copied).toBeDefined()
  const { pathname, search } = new URL(there.agree(Buffer.from(copied()!, 'base64').toString()))
  const page = await world.guest().send('GET', `${pathname}${search}`, { headers: { 'Accept-Language': 'it' } })
  expect(page.text).toContain('<html lang="it-IT">')
  const [, code] = /<code[^>]*>(\w{12})<\/code>/.exec(page.text)!
  // A code that is none is refused, and asked for again.
  await screen.press(...'nonsense', 'Enter')
  await screen.shows(/Code shown on the page[\s\S]*Wrong code/)
  await screen.press(...code!, 'Enter')
  await screen.shows((rows) => !rows.join('').includes('Code shown on the page'))
  const root = await world.login()
  // The box closes as the code is sent.
  await expect.poll(() => root.api('GET', 'profile')).toMatchObject({ oauth2_bind: { house: expect.anything() } })
})

test('issue 14: who is asked to sign in on the screen goes through a provider there, and gives the second factor where it is on', async () => {
  await screen?.close()
  const root = await world.login()
  const { key } = (await root.api('GET', 'profile/totp')) as { key: string }
  const now = new TOTP({ secret: key }).generate()
  const { recovery_codes } = (await root.api('POST', 'profile/totp', { code: now })) as { recovery_codes: string[] }
  const other = mkdtempSync(join(tmpdir(), 'qd-providers-'))
  screen = startScreen({ qd: programs.qd, url: world.origin, home: other, columns: 100, rows: 36, signedIn: false })
  await screen.shows(/Password[\s\S]*Sign in with House/)
  await screen.press('ArrowUp', 'Enter')
  await screen.shows(/Open this address in a browser[\s\S]*authorize/)
  await screen.press('Escape')
  await screen.shows((rows) => !rows.join('').includes('Open this address'))
  await screen.press('Enter')
  await screen.shows(/Open this address in a browser/)
  await screen.press('Ctrl+y')
  const copied = () => /\u001b\]52;c;([\w+/=]+)\u0007/.exec(screen!.written())?.[1]
  await expect.poll(copied).toBeDefined()
  const { pathname, search } = new URL(there.agree(Buffer.from(copied()!, 'base64').toString()))
  const page = await world.guest().send('GET', `${pathname}${search}`)
  const [, code] = /<code[^>]*>(\w{12})<\/code>/.exec(page.text)!
  await screen.press(...'nonsense', 'Enter')
  await screen.shows(/Open this address in a browser[\s\S]*Wrong code/)
  await screen.press(...code!, 'Enter')
  await screen.shows(/Code[\s\S]*authenticator/)
  await screen.press(...'000000', 'Enter')
  await screen.shows('✗')
  await screen.press(...recovery_codes[0]!, 'Enter')
  await screen.shows('live')
  await screen.press('q')
  expect((await screen.ended).code).toBe(0)
  await screen.close()
  // It is known the next time.
  screen = startScreen({ qd: programs.qd, url: world.origin, home: other, columns: 100, rows: 36, signedIn: false })
  await screen.shows('live')
  rmSync(other, { recursive: true, force: true })
})
