import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openSocket, RefusedUpgrade } from '../support/peers/live-socket.ts'
import { createWorld, type World } from '../support/world.ts'
import { compareShape } from './compare.ts'

interface Session {
  name: string
  as: string
  url: string
  headers?: Record<string, string>
  handshake?: { status: number; contentType?: string; body?: unknown }
  frames?: { dir: string; opcode: string; text?: string }[]
}

const load = (file: string) =>
  JSON.parse(readFileSync(new URL(`../data/fixtures/ws/${file}.json`, import.meta.url), 'utf8')) as Session[]

/** Sessions that are not played, and why. */
const notPlayed: readonly (readonly [of: RegExp, why: string])[] = [
  [/^ws\/file/, 'played in ws-file.test.ts'],
  [/^ws\/transfer/, 'played in ws-transfer.test.ts'],
  [/^ws\/terminal/, 'played in ws-terminal.test.ts'],
]
const isPlayed = ({ name }: Session) => !notPlayed.some(([of]) => of.test(name))

/** A token in the address is refused everywhere (decisions.md), where existing servers take a bad one for a guest's. */
const refusedTokens = ['ws/server: garbage token is a guest']

/** Of no country: the recorded server knew none. */
const address = '10.0.0.1'

/** Port of the recorded server. */
const recordedHost = '127.0.0.1:18101'

let clock: FakeClock
let world: World
let callers: Record<string, Browser | undefined>
let token: string

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  const admin = await world.login()
  const alice = await world.member('alice')
  callers = { admin, member: alice.browser }
  token = await apiToken(admin)
  const { accounts } = world.server.container
  // Servers 1 (admin), 2 (nobody's, hidden, offline) and 3 (alice), as in the recording.
  await world.agent({ secret: accounts.byName('admin')!.agent_secret, address })
  const second = await world.agent({ address })
  await world.agent({ secret: alice.secret, address })
  const named = [
    { name: 'web-1', display_index: 5, public_note: 'note one' },
    { name: 'db-1', hide_for_guest: true },
    { name: 'alice-1' },
  ]
  for (const [index, fields] of named.entries()) {
    const rest = { note: '', public_note: '', display_index: 0, hide_for_guest: false, enable_ddns: false }
    await admin.api('PATCH', `server/${index + 1}`, {
      ...rest,
      ddns_profiles: [],
      override_ddns_domains: {},
      ...fields,
    })
  }
  second.vanish()
  await vi.waitFor(() => expect(world.server.container.live.lastActive(2)).toBeNull(), 30_000)
})
afterAll(() => world.close())

/** A token of a caller for everything. */
async function apiToken(browser: Browser): Promise<string> {
  const made = (await browser.api('POST', 'api-tokens', { name: 'ci', scopes: ['nezha:*'] })) as { token: string }
  return made.token
}

/** What a frame says besides its figures: which servers in which order, with which keys. Ours also says when one that is gone was last heard. */
function outline(frame: Record<string, unknown>) {
  const servers = (frame.servers ?? []) as Record<string, unknown>[]
  return servers.map(({ host, state, last_active, last_seen_at: _seen, ...fields }) => ({
    ...fields,
    versions: 'platform_version' in (host as object),
    reports: last_active !== '0001-01-01T00:00:00Z',
    empty: Object.keys(state as object).length === 0,
  }))
}

describe('ws/server', () => {
  const sessions = load('server').filter(isPlayed)
  const live = sessions.filter(({ name }) => !name.includes('restart'))

  test.each(live.map((session) => [session.name, session] as const))('%s', async (_name, { as, frames = [] }) => {
    const caller = as === 'pat' ? { headers: { Authorization: `Bearer ${token}` } } : {}
    const socket = await openSocket(world, callers[as] ? { browser: callers[as] } : caller)
    for (const [index, recorded] of frames.entries()) {
      const actual = await socket.next()
      expect(actual.event).toBe(recorded.opcode === 'text' ? 'frame' : recorded.opcode)
      if (actual.event !== 'frame') continue
      const expected = JSON.parse(recorded.text!)
      expect(compareShape(expected, actual.frame, new Set())).toEqual([])
      expect(outline(actual.frame)).toEqual(outline(expected))
      if (index < 3) await clock.advance(2000)
    }
    socket.close()
  })

  test('admin: first frame after a dashboard restart, no agent connected', async () => {
    const { as, frames } = sessions.find(({ name }) => name.includes('restart'))!
    await world.restart()
    const socket = await openSocket(world, { browser: callers[as]! })
    const expected = JSON.parse(frames![0]!.text!)
    const actual = await socket.frame()
    expect(compareShape(expected, actual, new Set())).toEqual([])
    // Ours still knows what the hosts were, where, and when they were last heard (issue 12.5); all else is as recorded.
    const rest = (frame: { servers: Record<string, unknown>[] }) =>
      frame.servers.map(({ host: _host, country_code: _country, last_seen_at: _seen, ...server }) => server)
    expect(rest(actual as never)).toEqual(rest(expected))
    expect(actual.servers).toContainEqual(
      expect.objectContaining({ host: expect.objectContaining({ arch: 'x86_64' }) }),
    )
    socket.close()
  })
})

describe('handshakes', () => {
  const sessions = load('errors').filter(isPlayed)
  test.each(sessions.map((session) => [session.name, session] as const))(
    '%s',
    async (name, { url, headers, handshake }) => {
      const origin = headers?.Origin?.replace(recordedHost, `127.0.0.1:${world.port}`)
      const { Authorization } = headers ?? {}
      const sent = { ...(origin && { Origin: origin }), ...(Authorization && { Authorization }) }
      const opening = openSocket(world, { path: url, headers: sent })
      if (refusedTokens.includes(name)) {
        await expect(opening).rejects.toMatchObject({ status: 401 })
      } else if (handshake && handshake.status !== 101) {
        const refusal = (await opening.catch((error: unknown) => error)) as RefusedUpgrade
        expect(refusal).toBeInstanceOf(RefusedUpgrade)
        const { status, contentType, body } = refusal
        const read = typeof handshake.body === 'object' ? JSON.parse(body) : body
        expect({ status, contentType, body: read }).toEqual(handshake)
      } else {
        const socket = await opening
        expect((await socket.frame()).servers).toHaveLength(2)
        socket.close()
      }
    },
  )

  test('every recorded handshake is played or named', () => {
    expect(sessions.map(({ name }) => name)).toEqual(expect.arrayContaining(refusedTokens))
    for (const [of] of notPlayed)
      expect(
        load('errors')
          .concat(load('server'))
          .some(({ name }) => of.test(name)),
      ).toBe(true)
  })
})
