import { describe, expect, test, vi } from 'vitest'
import { createWorld } from '../../../../tests/support/core/store.ts'
import { AppError } from '../errors.ts'
import { createRemembered, createSession$ } from './index.ts'

const admin = { id: 1, username: 'admin', role: 0, agent_secret: 'top', login_ip: '192.0.2.1' }
const unauthorized = { error: 'ApiErrorUnauthorized' }

function setUp(world = createWorld()) {
  const whos: (string | null)[] = []
  const firsts: boolean[] = []
  const waiting = { flush: vi.fn(async () => undefined), abandon: vi.fn() }
  const remembered = createRemembered(world.ports)
  const session = createSession$({
    client: world.client,
    storage: world.ports.storage,
    remembered,
    baseUrl: 'http://fleet',
    onWho(who, isFirst) {
      whos.push(who)
      firsts.push(isFirst)
    },
    waiting: () => waiting,
  })
  return { ...world, world, session, remembered, whos, firsts, waiting }
}

describe('session', () => {
  test('a guest is asked for nothing', async () => {
    const { session, route, whos } = setUp()
    route('GET profile', unauthorized)
    await session.start()
    expect(session.state$.peek()).toMatchObject({ status: 'guest', profile: null, capabilities: ['service-results'] })
    expect(session.viewer()).toMatchObject({ id: null })
    expect(whos).toEqual([])
  })

  test('signing in and out', async () => {
    const { session, route, whos, firsts, stored } = setUp()
    route('GET profile', admin)
    route('GET capabilities', { name: 'quarterdeck', version: '1', capabilities: ['runs', 'logout'] })
    route('POST login', { token: 'j', expire: '2026-12-20T00:00:00Z' })
    route('POST logout', null)
    await session.start()
    expect(session.viewer()).toEqual({ id: 1, username: 'admin', role: 0, scopes: null })
    expect([session.supports('runs'), session.supports('nonsense')]).toEqual([true, false])
    await session.signOut()
    expect(session.state$.peek()).toMatchObject({ status: 'guest', profile: null })
    await session.signIn('admin', 'x')
    expect(whos).toEqual(['http://fleet#1', null, 'http://fleet#1'])
    expect(firsts).toEqual([true, false, false])
    expect([...stored.values()].join()).not.toContain('top')
  })

  test('who it was last time is shown before the server answers, on the same server only', async () => {
    const first = setUp()
    first.route('GET profile', admin)
    await first.session.start()
    first.remembered.flush()
    const again = setUp(first.world)
    expect(again.session.state$.peek()).toMatchObject({
      status: 'unknown',
      profile: { username: 'admin', agent_secret: '' },
    })
    expect([again.whos, again.firsts]).toEqual([['http://fleet#1'], [false]])
    const other = createSession$({
      client: first.client,
      storage: first.ports.storage,
      remembered: createRemembered(first.ports),
      baseUrl: 'http://elsewhere',
      onWho: () => undefined,
      waiting: () => first.waiting,
    })
    expect(other.state$.profile.peek()).toBeNull()
  })

  test('what the server can do is remembered with who signed in, also after somebody signed out', async () => {
    const first = setUp()
    first.route('GET profile', admin)
    first.route('GET capabilities', { name: 'quarterdeck', version: '1', capabilities: ['runs', 'logout'] })
    first.route('POST login', { token: 'j', expire: '2026-12-20T00:00:00Z' })
    first.route('POST logout', null)
    await first.session.start()
    await first.session.signOut()
    await first.session.signIn('admin', 'x')
    first.remembered.flush()
    const again = setUp(first.world)
    expect(again.session.state$.peek()).toMatchObject({
      status: 'unknown',
      capabilities: expect.arrayContaining(['runs', 'logout']),
    })
  })

  test('a session that ends waits for the next sign-in, or for the person to leave', async () => {
    const { session, route } = setUp()
    expect(await session.ended()).toBe(false)
    route('GET profile', admin)
    route('POST login', { token: 'j', expire: '2026-12-20T00:00:00Z' })
    await session.start()
    const back = session.ended()
    expect(session.state$.status.peek()).toBe('ended')
    await session.signIn('admin', 'x')
    await expect(back).resolves.toBe(true)
    const left = session.ended()
    session.giveUp()
    await expect(left).resolves.toBe(false)
    expect(session.state$.status.peek()).toBe('guest')
  })

  test('issue 12: a sign-out in another tab leaves a page where something is typed, and asks to sign in again over it', async () => {
    const { session, route, whos } = setUp()
    route('GET profile', admin)
    await session.start()
    route('GET profile', unauthorized)
    await session.start({ keepsPage: true })
    expect(session.state$.peek()).toMatchObject({ status: 'ended', profile: { username: 'admin' } })
    expect(whos).toEqual(['http://fleet#1'])
    // Somebody signs in there again: nothing is to be asked here any more.
    route('GET profile', admin)
    await session.start({ keepsPage: true })
    expect(session.state$.status.peek()).toBe('signedIn')
    route('GET profile', unauthorized)
    await session.start()
    expect(session.state$.peek()).toMatchObject({ status: 'guest', profile: null })
  })

  test('issue 10.3: what waits is sent before the sign-out', async () => {
    const { session, route, waiting, calls } = setUp()
    route('GET profile', admin)
    route('POST logout', null)
    await session.start()
    waiting.flush.mockImplementation(async () => {
      await Promise.resolve()
      expect(calls()).not.toContain('POST logout')
    })
    await session.signOut()
    expect(waiting.flush).toHaveBeenCalledTimes(1)
    expect(calls()).toContain('POST logout')
  })

  test('issue 10.3: nothing that one person agreed to is sent in the name of another who signs in', async () => {
    const { session, route, waiting, whos } = setUp()
    route('GET profile', admin)
    route('POST login', { token: 'j', expire: '2026-12-20T00:00:00Z' })
    await session.start()
    const back = session.ended()
    route('GET profile', { ...admin, id: 2, username: 'alice' })
    await session.signIn('alice', 'x')
    await expect(back).resolves.toBe(false)
    expect(waiting.abandon).toHaveBeenCalledTimes(1)
    expect(whos).toEqual(['http://fleet#1', 'http://fleet#2'])
    const left = session.ended()
    route('GET profile', { error: 'ApiErrorUnauthorized' })
    await session.start()
    await expect(left).resolves.toBe(false)
    expect(waiting.abandon).toHaveBeenCalledTimes(2)
  })

  test('R-12 a password that is asked for again waits until it was taken, or is not given', async () => {
    const { session } = setUp()
    const prove = async (password: string) => {
      if (password !== 'right') throw new AppError('wrongPassword')
      return { recoveryLeft: null }
    }
    const asked = session.askProof(prove)
    expect(session.state$.needsProof.peek()).toBe(true)
    await expect(session.giveProof('wrong')).rejects.toMatchObject({ code: 'wrongPassword' })
    expect(session.state$.needsProof.peek()).toBe(true)
    await session.giveProof('right')
    await expect(asked).resolves.toBe(true)
    const declined = session.askProof(prove)
    session.declineProof()
    await expect(declined).resolves.toBe(false)
    expect(session.state$.needsProof.peek()).toBe(false)
  })

  test('theme and language are kept under the keys of the spec; nonsense is not taken', () => {
    const { session, stored, world } = setUp()
    session.setTheme('dark')
    session.setLanguage('de-DE')
    expect(stored.get('vite-ui-theme')).toBe('dark')
    expect(stored.get('language')).toBe('de-DE')
    expect(setUp(world).session.state$.peek()).toMatchObject({ theme: 'dark', language: 'de-DE' })
    stored.set('vite-ui-theme', 'pink')
    stored.set('language', 'xx')
    expect(setUp(world).session.state$.peek()).toMatchObject({ theme: 'system', language: null })
  })
})
