import { Role } from '@qd/core/define'
import { logLimits, toLogFrame } from '@qd/protocol/logs'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../../../../tests/support/fake-clock.ts'
import type { UserSide } from '../../fleet/streams/stream.ts'
import { createLogReadings, type LogMessage } from './logs.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A followed reading of server 1; the test is its agent and its reader. */
async function start(request: { follow?: boolean; hasAbility?: boolean; role?: number } = {}) {
  const clock = createFakeClock()
  const messages: LogMessage[] = []
  const state = { hasAbility: request.hasAbility ?? true, hasRoom: true, drained: 0, closed: '', membersSeeHosts: true }
  const sides: UserSide[] = []
  let told = (_serverId: number) => {}
  let changed = () => {}
  const readings = createLogReadings(
    {
      clock,
      random: { bytes: (count: number) => new Uint8Array(count) },
      sockets: { add: () => () => {} },
      servers: { find: (id: number) => ({ id, owner_id: 7 }) },
      settings: {
        get: () => ({ members_see_hosts: state.membersSeeHosts }),
        onChange: (listen: typeof changed) => {
          changed = listen
        },
      },
    } as never,
    {
      hub: { connected: () => true },
      abilities: {
        has: () => state.hasAbility,
        onTold: (listen: typeof told) => {
          told = listen
        },
      },
      streams: {
        create: () => 's',
        find: () => ({
          admit: async () => (side: UserSide) => {
            sides.push(side)
            const drained = () => {
              state.drained += 1
            }
            return { drained, gone: () => {}, data: () => {} }
          },
        }),
      },
    } as never,
    { rate: 1_000, burst: 10_000 },
  )
  const { follow = true } = request
  const asked = { unit: '', container: '', file: '', since: null, lines: 100, follow, grep: '' }
  const viewer = { id: 7, role: request.role ?? Role.admin, username: 'someone', scopes: null }
  const id = readings.open({ viewer } as never, [1, 2], asked)
  const link = readings.attach(id, viewer as never, {
    send(text) {
      messages.push(JSON.parse(text))
      return state.hasRoom
    },
    close: (ending) => {
      state.closed = ending
    },
  })
  await settle()
  const entries = (count: number, text: string) =>
    Array.from({ length: count }, (_, at) => ({ at, unit: '', name: '', pid: 0, level: 6, text }))
  const send = (count: number, text = 'x', left = 0) =>
    sides[0]!.send(toLogFrame({ kind: 'entries', entries: entries(count, text), left }))
  const hideHosts = () => {
    state.membersSeeHosts = false
    changed()
  }
  return { clock, messages, state, sides, link: link!, send, tell: () => told(1), hideHosts }
}

test('a host that sends more than its budget is held until it has time again, whatever the reader takes meanwhile', async () => {
  const { clock, state, link, send } = await start()
  expect(send(1)).toBe(true)
  expect(send(10, 'x'.repeat(1_500))).toBe(false)
  link.drained()
  expect(state.drained).toBe(1)
  await clock.advance(3_000)
  expect(state.drained).toBe(1)
  await clock.advance(10_000)
  expect(state.drained).toBe(2)
  expect(send(1)).toBe(true)
})

test('a host whose budget is there again waits for a reader that takes nothing', async () => {
  const { clock, state, link, send } = await start()
  state.hasRoom = false
  expect(send(10, 'x'.repeat(1_500))).toBe(false)
  await clock.advance(60_000)
  expect(state.drained).toBe(0)
  state.hasRoom = true
  link.drained()
  expect(state.drained).toBe(2)
})

test('without follow a host may send only as many lines as a reading has; the others are counted', async () => {
  const { messages, send } = await start({ follow: false })
  for (let n = 0; n < 6; n += 1) send(1_000, '', 1)
  const of = messages.flatMap((message) => ('entries' in message ? [message] : []))
  expect(of.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(logLimits.maxLines)
  expect(of.reduce((sum, { left }) => sum + left, 0)).toBe(1_000 + 6)
})

test('a host that tells only after the reading has begun that it has logs is followed', async () => {
  const { clock, messages, state, sides, tell } = await start({ hasAbility: false })
  expect(messages).toMatchObject([{ state: 'pending' }, { state: 'pending' }])
  state.hasAbility = true
  tell()
  await settle()
  expect(sides).toHaveLength(1)
  state.hasAbility = false
  await clock.advance(1_000)
  expect(messages.at(-1)).toEqual({ server_id: 2, state: 'not supported' })
})

test('what is no entry isn’t passed on', async () => {
  const { messages, sides } = await start()
  sides[0]!.send(Buffer.from('{"entries":[0,null,[],"x",{"text":"y"}],"left":0}'))
  expect(messages.at(-1)).toMatchObject({ entries: [{ text: 'y' }], left: 0 })
})

test('a member’s reading ends when members may no longer see hosts; an administrator’s goes on', async () => {
  for (const [role, ending] of [
    [Role.user, 'revoked'],
    [Role.admin, ''],
  ] as const) {
    const { state, hideHosts } = await start({ role })
    hideHosts()
    expect(state.closed).toBe(ending)
  }
})
