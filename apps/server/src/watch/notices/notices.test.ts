import { AppError } from '@qd/core/errors'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { texts } from '../../kernel/texts.ts'
import type { Deliver, Delivered } from './delivery.ts'
import { createNotices } from './notices.ts'
import type { Delivery, Notice } from './types.ts'

let clock: TestClock
let base: TestBase
let notices: ReturnType<typeof createNotices>
let delivered: (Delivered & { to: string })[]
let receivers: Record<string, () => Promise<void>>

const deliver: Deliver = async (notifier, what) => {
  const { name } = notifier as unknown as { name: string }
  delivered.push({ ...what, to: name })
  await receivers[name]?.()
  return { status: 200, ms: 1, host: 'push.example' }
}

beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  delivered = []
  receivers = {}
  notices = createNotices(base, deliver)
})
afterEach(() => base.close())

async function addNotifier(name: string, owner_id = base.admin.id) {
  return base.notifications.insert({
    owner_id,
    name,
    url: `https://${name}.example/`,
    request_method: 2,
    request_type: 1,
    request_header: '',
    request_body: '#NEZHA#',
    verify_tls: true,
    format_metric_units: false,
    last_sent_at: null,
    last_error: '',
  })
}
async function addGroup(names: readonly string[], more: { owner_id?: number; name?: string } = {}) {
  const members = await Promise.all(names.map((name) => addNotifier(name)))
  const group = { owner_id: base.admin.id, name: 'ops', notifications: members.map(({ id }) => id), ...more }
  return { group: await base.notificationGroups.insert(group), members }
}
const noticeFor = (groupId: number, more: Partial<Notice> = {}): Notice => ({
  groupId,
  ownerId: base.admin.id,
  message: 'hello',
  serverId: null,
  mute: null,
  ...more,
})

describe('a notice', () => {
  test('reaches every member; who fails is recorded and keeps nobody from it', async () => {
    const { group, members } = await addGroup(['good', 'down'])
    receivers.down = async () => {
      throw new AppError('failed', { text: '500@500 Internal Server Error' })
    }
    const told = await new Promise<readonly Delivery[]>((done) =>
      notices.send(noticeFor(group.id, { serverId: 7, onDelivered: done })),
    )
    await notices.settled()
    const [good, down] = members
    const at = clock.now()
    expect(told).toEqual([
      { notification_id: good!.id, name: 'good', at, ok: true, error: '' },
      { notification_id: down!.id, name: 'down', at, ok: false, error: '500@500 Internal Server Error' },
    ])
    const notice = expect.stringMatching(/^\w{20}$/)
    expect(delivered).toEqual([
      { to: 'good', notice, message: 'hello', serverId: 7 },
      { to: 'down', notice, message: 'hello', serverId: 7 },
    ])
    expect(delivered[0]!.notice).not.toBe(delivered[1]!.notice)
    expect(base.notifications.find(good!.id)).toMatchObject({ last_sent_at: at, last_error: '' })
    expect(base.notifications.find(down!.id)).toMatchObject({
      last_sent_at: at,
      last_error: '500@500 Internal Server Error',
    })
  })

  test('a slow receiver gets its messages in order and holds no other', async () => {
    const { group } = await addGroup(['slow', 'quick'])
    let release = () => {}
    receivers.slow = () =>
      new Promise((resolve) => {
        release = resolve
      })
    notices.send(noticeFor(group.id, { message: 'first' }))
    notices.send(noticeFor(group.id, { message: 'second' }))
    const all = () => delivered.map(({ to, message }) => `${to} ${message}`)
    await vi.waitFor(() => expect(all()).toEqual(['slow first', 'quick first', 'quick second']))
    release()
    await vi.waitFor(() => expect(delivered.at(-1)).toMatchObject({ to: 'slow', message: 'second' }))
    release()
    await notices.settled()
  })

  test('what a receiver that hangs cannot take is dropped, counted and told', async () => {
    const { group } = await addGroup(['hung'])
    receivers.hung = () => new Promise(() => {})
    const errors: string[] = []
    const told = (results: readonly Delivery[]) => errors.push(...results.map(({ error }) => error))
    for (let turn = 0; turn < 5003; turn += 1) notices.send(noticeFor(group.id, { onDelivered: told }))
    await clock.advance(0)
    expect(errors).toEqual([texts.noticesFull, texts.noticesFull])
    expect(base.lines.join('')).toContain('"dropped":1')
  })

  test('what waited for a quarter of an hour is no news any more', async () => {
    const { group } = await addGroup(['slow'])
    let release = null as (() => void) | null
    receivers.slow = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const errors: string[] = []
    const told = (results: readonly Delivery[]) => errors.push(...results.map(({ error }) => error))
    for (const message of ['first', 'second']) notices.send(noticeFor(group.id, { message, onDelivered: told }))
    await vi.waitUntil(() => release !== null, 60_000)
    await clock.advance(15 * 60_000 + 1)
    release!()
    await notices.settled()
    expect(errors).toEqual(['', texts.noticesFull])
    expect(delivered.map(({ message }) => message)).toEqual(['first'])
  })

  test('nobody is told by group 0, an unknown group, or an empty one, but the mute is taken', async () => {
    const { group } = await addGroup([])
    for (const id of [0, 999, group.id]) {
      notices.send(noticeFor(id, { mute: 'label' }))
      await notices.settled()
    }
    expect(delivered).toEqual([])
    const added = await addNotifier('late')
    await base.notificationGroups.update(group.id, (row) => ({ ...row, notifications: [added.id] }))
    notices.send(noticeFor(group.id, { mute: 'label' }))
    await notices.settled()
    expect(delivered).toEqual([])
  })

  test('a member of the group that its owner may not use is passed over', async () => {
    const { group } = await addGroup(['foreign'], { owner_id: base.member.id })
    const own = await addNotifier('own', base.member.id)
    await base.notificationGroups.update(group.id, (row) => ({ ...row, notifications: [...row.notifications, own.id] }))
    notices.send(noticeFor(group.id))
    await notices.settled()
    expect(delivered.map(({ to }) => to)).toEqual(['own'])
  })

  test('S-27 a group that is not its owner’s hears nothing', async () => {
    const { group } = await addGroup(['ops'])
    notices.send(noticeFor(group.id, { ownerId: base.member.id }))
    await notices.settled()
    expect(delivered).toEqual([])
    notices.send(noticeFor(group.id, { ownerId: 0 }))
    await notices.settled()
    expect(delivered).toHaveLength(1)
  })

  test('a notifier deleted while its message waits is no problem', async () => {
    const { group, members } = await addGroup(['slow'])
    let release = () => {}
    receivers.slow = () =>
      new Promise((resolve) => {
        release = resolve
      })
    const errors: string[] = []
    const told = (results: readonly Delivery[]) => errors.push(...results.map(({ error }) => error))
    for (const message of ['first', 'second']) notices.send(noticeFor(group.id, { message, onDelivered: told }))
    await vi.waitFor(() => expect(delivered).toHaveLength(1))
    await base.notifications.remove([members[0]!.id])
    release()
    await notices.settled()
    expect(errors).toEqual(['', texts.notifierGone])
  })
})

describe('muting', () => {
  test('a label is told once per wait and group name, again when lifted or when the group is renamed', async () => {
    const { group } = await addGroup(['phone'])
    const send = async (mute: string | null) => {
      notices.send(noticeFor(group.id, { mute }))
      await notices.settled()
      return delivered.length
    }
    expect([await send('a'), await send('a'), await send(null), await send('b')]).toEqual([1, 1, 2, 3])
    notices.lift('a', group.id)
    expect([await send('a'), await send('b')]).toEqual([4, 4])
    await base.notificationGroups.update(group.id, (row) => ({ ...row, name: 'night' }))
    expect(await send('b')).toBe(5)
    await clock.advance(15 * 60_000)
    expect(await send('b')).toBe(6)
  })

  test('nothing is told of a muted notice', async () => {
    const { group } = await addGroup(['phone'])
    let count = 0
    const told = () => {
      count += 1
    }
    notices.send(noticeFor(group.id, { mute: 'a', onDelivered: told }))
    notices.send(noticeFor(group.id, { mute: 'a', onDelivered: told }))
    await notices.settled()
    expect(count).toBe(1)
  })
})

describe('scale 9: after a restart', () => {
  const restart = async () => {
    const before = notices.engine.stop()
    await clock.advance(1000)
    await before
    await base.writes.stored()
    delivered = []
    receivers = {}
    notices = createNotices(base, deliver)
    await notices.engine.start()
  }
  const owed = () => base.db.selectFrom('outbox').selectAll().execute()

  test('what a hanging receiver kept waiting is sent: what may have arrived first, as the same notice', async () => {
    const { group } = await addGroup(['hung', 'good'])
    receivers.hung = () => new Promise(() => {})
    notices.onDelivered(async () => {})
    for (const message of ['first', 'second']) notices.send(noticeFor(group.id, { message, incidents: [7] }))
    await vi.waitFor(async () =>
      expect(await owed()).toMatchObject([{ message: 'first', sending: 1 }, { message: 'second' }]),
    )
    const notice = delivered.find(({ to }) => to === 'hung')?.notice
    await restart()
    const told: unknown[] = []
    notices.onDelivered(async (ids, delivery) => void told.push([ids, delivery.name, delivery.ok]))
    await notices.settled()
    expect(delivered.map(({ to, message }) => [to, message])).toEqual([
      ['hung', 'first'],
      ['hung', 'second'],
    ])
    expect(delivered[0]!.notice).toBe(notice)
    expect(told).toEqual([
      [[7], 'hung', true],
      [[7], 'hung', true],
    ])
    await base.writes.stored()
    expect(await owed()).toEqual([])
  })

  test('what was interrupted twice isn’t sent again: it may have arrived', async () => {
    const { group, members } = await addGroup(['hung'])
    receivers.hung = () => new Promise(() => {})
    notices.send(noticeFor(group.id, { incidents: [7] }))
    await vi.waitFor(() => expect(delivered).toHaveLength(1))
    const crash = async () => {
      delivered = []
      notices = createNotices(base, deliver)
      await notices.engine.start()
    }
    await crash()
    await vi.waitFor(() => expect(delivered).toHaveLength(1))
    await crash()
    const told: unknown[] = []
    notices.onDelivered(async (ids, { error }) => void told.push([ids, error]))
    await notices.settled()
    expect([delivered, told]).toEqual([[], [[[7], texts.noticeUnknown]]])
    expect(base.notifications.find(members[0]!.id)?.last_error).toBe(texts.noticeUnknown)
    await base.writes.stored()
    expect(await owed()).toEqual([])
  })

  test('what arrived after the goodbye isn’t sent again', async () => {
    const { group } = await addGroup(['slow'])
    let release = () => {}
    receivers.slow = () =>
      new Promise((resolve) => {
        release = resolve
      })
    notices.send(noticeFor(group.id))
    await vi.waitFor(() => expect(delivered).toHaveLength(1))
    const before = notices.engine.stop()
    await clock.advance(1000)
    await before
    release()
    await notices.settled()
    await base.writes.finish()
    expect(await owed()).toEqual([])
  })

  test('what waited for others of its cause is sent together', async () => {
    const { group } = await addGroup(['ops'])
    const send = (count: number) => {
      for (let at = 0; at < count; at += 1) notices.send(noticeFor(group.id, { cause: 'rule 1', message: `web-${at}` }))
    }
    send(11)
    await notices.settled()
    send(12)
    await base.writes.stored()
    expect((await owed()).map(({ notification_id }) => notification_id)).toEqual(Array.from({ length: 12 }, () => 0))
    // A crash: nothing is stopped.
    delivered = []
    notices = createNotices(base, deliver)
    await notices.engine.start()
    await notices.settled()
    expect(delivered.map(({ message }) => message.split('\n')[0])).toEqual(['12 at once, same cause:'])
    await base.writes.stored()
    expect(await owed()).toEqual([])
  })

  test('what is owed for longer than a day is dropped', async () => {
    const { group } = await addGroup(['hung'])
    receivers.hung = () => new Promise(() => {})
    notices.send(noticeFor(group.id))
    await clock.advance(0)
    clock.jump(24 * 3_600_000 + 1)
    await restart()
    await notices.settled()
    expect(delivered).toEqual([])
    await base.writes.stored()
    expect(await owed()).toEqual([])
  })
})

test('scale 9: nothing is sent before it is stored as leaving, unless the disk is full', async () => {
  const { group } = await addGroup(['phone'])
  receivers.phone = async () => {
    expect(await base.db.selectFrom('outbox').select('sending').execute()).toEqual([{ sending: 1 }])
  }
  notices.send(noticeFor(group.id))
  await notices.settled()
  expect(delivered).toHaveLength(1)
  delete receivers.phone
  let error = new AppError('databaseAway')
  let refused = 0
  const { stored } = base.writes
  base.writes.stored = () => {
    refused += 1
    return Promise.reject(error)
  }
  notices.send(noticeFor(group.id))
  await expect.poll(() => refused).toBeGreaterThan(0)
  await clock.advance(0)
  expect(delivered).toHaveLength(1)
  error = new AppError('diskFull')
  await vi.waitUntil(async () => {
    await clock.advance(1000)
    return delivered.length === 2
  }, 60_000)
  base.writes.stored = stored
  await notices.settled()
})

test('what the holder of the database lost before it left is sent when it is back, and no result of its receiver', async () => {
  const { group } = await addGroup(['phone'])
  receivers.phone = async () => {
    throw new AppError('databaseAway')
  }
  const results: Delivery[] = []
  notices.send(noticeFor(group.id, { onDelivered: (told) => results.push(...told) }))
  await clock.advance(0)
  await vi.waitFor(() => expect(delivered).toHaveLength(1))
  await base.writes.stored()
  expect(results).toEqual([])
  delete receivers.phone
  await clock.advance(1000)
  await notices.settled()
  expect(results).toMatchObject([{ name: 'phone', ok: true }])
})

describe('issue 12, friction: notices of one cause', () => {
  const outage = (groupId: number, from: number, count: number, results: Delivery[] = []) => {
    for (let index = from; index < from + count; index += 1)
      notices.send(
        noticeFor(groupId, {
          cause: 'rule 1',
          message: `[Incident] web-${index} gone`,
          onDelivered: (told) => results.push(...told),
        }),
      )
  }
  const messages = () => delivered.map(({ message }) => message)

  test('940 servers that go at once are one message with the count and the first ten; each is recorded as told', async () => {
    const { group } = await addGroup(['ops'])
    const results: Delivery[] = []
    outage(group.id, 1, 940, results)
    await notices.settled()
    expect(messages()).toHaveLength(1)
    expect(messages()[0]!.split('\n')).toEqual([
      '940 at once, same cause:',
      ...Array.from({ length: 10 }, (_, index) => `[Incident] web-${index + 1} gone`),
      '… and 930 more',
    ])
    expect(results.filter(({ ok }) => ok)).toHaveLength(940)
  })

  test('ten are told one by one, others of the same minute together at its end, and then it begins anew', async () => {
    const { group } = await addGroup(['ops'])
    outage(group.id, 1, 10)
    await notices.settled()
    expect(messages()).toHaveLength(10)
    outage(group.id, 11, 15)
    await notices.settled()
    outage(group.id, 26, 20)
    await clock.advance(30_000)
    expect(messages()).toHaveLength(11)
    expect(messages()[10]).toContain('15 at once')
    await clock.advance(30_000)
    await notices.settled()
    expect(messages()).toHaveLength(12)
    expect(messages()[11]).toContain('20 at once')
    outage(group.id, 1, 1)
    await notices.settled()
    expect(messages()[12]).toBe('[Incident] web-1 gone')
  })

  test('different causes, groups and those without a cause do not wait for each other; what waits is told when the server stops', async () => {
    const { group } = await addGroup(['ops'])
    for (let index = 0; index < 11; index += 1) notices.send(noticeFor(group.id, { cause: `rule ${index}` }))
    for (let index = 0; index < 11; index += 1) notices.send(noticeFor(group.id))
    await notices.settled()
    expect(messages()).toHaveLength(22)
    outage(group.id, 1, 11)
    await notices.settled()
    outage(group.id, 12, 3)
    await notices.engine.stop()
    expect(messages()).toHaveLength(24)
  })
})
