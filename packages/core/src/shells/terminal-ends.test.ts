import { streamClose } from '@qd/protocol/stream-close'
import { expect, test } from 'vitest'
import { bytes, createWorld } from '../../../../tests/support/core/shells.ts'
import { AppError } from '../errors.ts'
import { readPaste } from './terminal.ts'

test.each(Object.entries(streamClose))('W-10 close reason %s is told', async (reason, code) => {
  const { live, last, state } = createWorld()
  await live()
  last().close(code, reason)
  expect(state()).toMatchObject({ status: 'ended', reason })
})

test('W-10 an existing dashboard: last words of the shell, an agent that never came, else the network', async () => {
  const shellEnded = createWorld({ capabilities: [] })
  await shellEnded.live()
  shellEnded.last().message(bytes('$ exit\r\n'))
  shellEnded.last().message(bytes('read /dev/ptmx: input/output error'))
  shellEnded.last().close(1006, '')
  expect(shellEnded.state()).toMatchObject({ status: 'ended', reason: 'ended' })

  const noAgent = createWorld({ capabilities: [] })
  await noAgent.live()
  noAgent.last().close(1006, '')
  expect(noAgent.state()).toMatchObject({ status: 'ended', reason: 'no-agent' })

  const network = createWorld({ capabilities: [] })
  await network.live()
  network.last().message(bytes('$ '))
  network.last().close(1006, '')
  expect(network.state()).toMatchObject({ status: 'lost', attempt: 1 })
})

test('W-11 a lost connection takes up the same shell within 60 s and says so', async () => {
  const { live, last, state, seen, pass, calls } = createWorld()
  await live()
  last().message(bytes('$ yes'))
  last().close(1006, '')
  expect(state()).toMatchObject({ status: 'lost', lostAt: 1000, retryAt: 2000, attempt: 1 })
  await pass(1000)
  expect(calls).toHaveLength(1)
  expect(last().url).toMatch(/shell-1\?from=5$/)
  last().open('')
  expect(seen.dividers).toEqual([])
  last().message(bytes('$ '))
  expect(seen.dividers).toEqual([{ shell: 'same', after: 'lost', partedAt: 1000, at: 2000 }])
  expect(state().status).toBe('live')
})

test('W-11 a shell that is taken up and has nothing to say is live too', async () => {
  const { live, last, state, pass } = createWorld()
  await live()
  last().close(1006, '')
  await pass(1000)
  last().open('')
  expect(state().status).toBe('lost')
  await pass(400)
  expect(state().status).toBe('live')
})

test('W-11 a shell that the server no longer has: a new one, with a divider that says so', async () => {
  const { live, last, seen, pass, calls, settle } = createWorld()
  await live()
  last().close(1006, '')
  await pass(1000)
  last().open('')
  last().close(streamClose.unknown, 'unknown')
  await settle()
  expect(calls).toHaveLength(2)
  last().open('')
  expect(seen.dividers).toEqual([{ shell: 'new', after: 'lost', partedAt: 1000, at: 2000 }])
})

test('W-11 after 60 s, and where shells are not kept, a new shell is opened', async () => {
  const kept = createWorld()
  await kept.live()
  kept.last().close(1006, '')
  for (let turn = 0; turn < 6; turn++) {
    await kept.pass(30_000)
    kept.last().close(1006, '')
  }
  expect(kept.calls.length).toBeGreaterThan(1)
  expect(kept.last().url).not.toContain('shell-1')

  const other = createWorld({ capabilities: [] })
  await other.live()
  other.last().message(bytes('$ '))
  other.last().close(1006, '')
  await other.pass(1000)
  other.last().open('')
  expect(other.calls).toHaveLength(2)
  expect(other.seen.dividers).toEqual([{ shell: 'new', after: 'lost', partedAt: 1000, at: 2000 }])
})

test('W-11 the wait doubles up to 30 s while the network stays away, and begins anew after output', async () => {
  const { live, last, seen, pass, refuse } = createWorld({ capabilities: [] })
  await live()
  last().message(bytes('$ '))
  refuse(new AppError('unreachable'))
  last().close(1006, '')
  await pass(200_000)
  const waits = seen.states.flatMap((one, index) => {
    const before = seen.states[index - 1]
    return one.status === 'lost' && before?.status === 'lost' ? [one.retryAt - before.retryAt] : []
  })
  expect(waits.slice(0, 6)).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000])
  refuse(null)
  await pass(30_000)
  last().open('')
  last().message(bytes('$ '))
  last().close(1006, '')
  expect(seen.states.at(-1)).toMatchObject({ status: 'lost', attempt: 1 })
})

test('a refusal is told and not repeated', async () => {
  const { session, settle, refuse, state, calls, pass } = createWorld()
  refuse(new AppError('failed', { text: 'too many concurrent streams for this user' }))
  session.start()
  await settle()
  expect(state()).toMatchObject({ status: 'refused', error: { params: { text: /too many/ } } })
  await pass(120_000)
  expect(calls).toHaveLength(1)
})

test('W-12 Enter after the end opens a new shell; other keys do not', async () => {
  const { live, last, session, state, calls, settle, seen } = createWorld()
  await live()
  last().close(streamClose.ended, 'ended')
  session.input('x')
  session.paste(readPaste('text', { bracketed: false }), { bracketed: false })
  await settle()
  expect(calls).toHaveLength(1)
  session.input('\r')
  await settle()
  last().open('')
  expect(calls).toHaveLength(2)
  expect(state().status).toBe('live')
  expect(seen.dividers).toEqual([{ shell: 'new', after: 'ended', partedAt: 1000, at: 1000 }])
})

test('Enter while the network is away does not wait for the countdown', async () => {
  const { live, last, session, sockets } = createWorld()
  await live()
  last().close(1006, '')
  session.input('\r')
  expect(sockets).toHaveLength(2)
})

test('W-16 a quiet connection is kept alive', async () => {
  const { live, last, pass } = createWorld()
  await live()
  await pass(95_000)
  expect(last().sent.filter((frame) => frame.length === 0)).toHaveLength(3)
})

test('closing ends the socket, and nothing is told any more', async () => {
  const { live, last, session, seen, pass } = createWorld()
  await live()
  const told = seen.states.length
  session.close()
  expect(last().closed).toBe(true)
  last().message(bytes('late'))
  last().close(1006, '')
  session.input('\r')
  await pass(60_000)
  expect(seen.output).toEqual([])
  expect(seen.states).toHaveLength(told)
})

test('a session that was made for a window already closed is opened and closed, so that it is not counted for ever', async () => {
  const { session, settle, last } = createWorld()
  session.start()
  session.close()
  await settle()
  last().open('')
  expect(last().closed).toBe(true)
})
