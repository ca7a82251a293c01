import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import type { Caller } from '../../kernel/caller.ts'
import { createScrollback, createStream, type Link, type Stream, streamLimits, type UserSide } from './stream.ts'

const caller: Caller = {
  viewer: { id: 1, username: 'admin', role: 0, scopes: null },
  session: 's',
  address: '127.0.0.1',
}

interface FakeSide extends UserSide {
  got: string[]
  isOn: boolean | null
  ending: string | null
  takes: boolean
}
function fakeSide(more: Partial<UserSide> = {}): FakeSide {
  const side: FakeSide = {
    caller,
    comesBack: true,
    received: 0,
    answers: async () => true,
    got: [],
    isOn: null,
    ending: null,
    takes: true,
    send(bytes) {
      side.got.push(Buffer.from(bytes).toString())
      return side.takes
    },
    flow(isOn) {
      side.isOn = isOn
    },
    close(ending) {
      side.ending = ending
    },
    ...more,
  }
  return side
}

let clock: TestClock
let stream: Stream
let endings: string[]
let isConnected: boolean
beforeEach(() => {
  clock = createTestClock()
  endings = []
  isConnected = true
  stream = createStream({
    id: 'id',
    purpose: 'terminal',
    serverId: 1,
    creator: caller,
    clock,
    isConnected: () => isConnected,
    onAttach: () => undefined,
    onEnd: (ending) => endings.push(ending),
  })
})
const attach = async (user: UserSide): Promise<Link> => (await stream.admit(user.comesBack))!(user)!

describe('back-pressure', () => {
  test('nothing is read from either end before the other is there', async () => {
    const agent = fakeSide()
    stream.attachAgent(agent)
    expect(agent.isOn).toBe(false)
    const user = fakeSide()
    await attach(user)
    expect([agent.isOn, user.isOn]).toEqual([true, true])
  })

  test('an end that has enough holds back the other one only, until it has drained', async () => {
    const agent = fakeSide()
    const user = fakeSide()
    const fromAgent = stream.attachAgent(agent)!
    const fromUser = await attach(user)
    user.takes = false
    fromAgent.data(Buffer.from('output'))
    expect([agent.isOn, user.isOn]).toEqual([false, true])
    fromUser.drained()
    expect([agent.isOn, user.isOn]).toEqual([true, true])
    agent.takes = false
    fromUser.data(Buffer.from('input'))
    expect([agent.isOn, user.isOn]).toEqual([true, false])
    fromAgent.drained()
    expect([agent.isOn, user.isOn]).toEqual([true, true])
    expect([user.got, agent.got]).toEqual([['output'], ['input']])
  })

  test('while its user is away a shell is read on', async () => {
    const agent = fakeSide()
    const user = fakeSide()
    const fromAgent = stream.attachAgent(agent)!
    const fromUser = await attach(user)
    user.takes = false
    fromAgent.data(Buffer.from('seen'))
    fromUser.gone(false)
    expect(agent.isOn).toBe(true)
    fromAgent.data(Buffer.from('missed'))
    const again = fakeSide({ received: 4 })
    await attach(again)
    expect(again.got).toEqual(['missed'])
  })
})

describe('who is late', () => {
  test('links of an end that was replaced say nothing any more', async () => {
    const agent = fakeSide()
    stream.attachAgent(agent)
    const old = fakeSide({ answers: async () => false })
    const fromOld = await attach(old)
    const user = fakeSide()
    await attach(user)
    fromOld.data(Buffer.from('late'))
    fromOld.gone(true)
    expect([agent.got, endings, stream.attachAgent(fakeSide())]).toEqual([[], [], null])
  })

  test('of two that were admitted the second finds it taken', async () => {
    const [first, second] = [await stream.admit(true), await stream.admit(true)]
    expect(first!(fakeSide())).not.toBeNull()
    expect(second!(fakeSide())).toBeNull()
  })

  test.each([
    [true, 'ended'],
    [false, 'agent-gone'],
  ])('an agent whose call ends while it is connected %s: %s', async (stays, ending) => {
    const agent = fakeSide()
    const user = fakeSide()
    await attach(user)
    stream.attachAgent(agent)!.gone(true)
    isConnected = stays
    await clock.advance(streamLimits.agentEndedMs)
    expect([endings, user.ending, agent.ending]).toEqual([[ending], ending, ending])
  })

  test('nothing is left of a stream that has ended', async () => {
    const way = await stream.admit(true)
    stream.end('revoked')
    stream.end('limit')
    await clock.advance(streamLimits.openMs)
    expect([endings, way!(fakeSide()), stream.attachAgent(fakeSide())]).toEqual([['revoked'], null, null])
  })
})

test('answers what somebody has missed; where that is too much, the last of it from a line end on', () => {
  const chunk = fc.uint8Array({ maxLength: 40 })
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 20 }), fc.nat(900), (chunks, from) => {
      const scrollback = createScrollback(64)
      for (const bytes of chunks) scrollback.add(bytes)
      const all = Buffer.concat(chunks)
      const last = all.subarray(-64)
      const isKept = from >= all.length - last.length
      const expected = isKept ? all.subarray(from) : last.subarray(last.indexOf(10) + 1)
      expect(Buffer.from(scrollback.read(from))).toEqual(Buffer.from(expected))
    }),
  )
})

test('one chunk larger than all of it leaves its end', () => {
  const scrollback = createScrollback(4)
  scrollback.add(Buffer.from('before'))
  scrollback.add(Buffer.from('123456789'))
  expect(Buffer.from(scrollback.read(0)).toString()).toBe('6789')
})
