import { createHash } from 'node:crypto'
import type { HostSource } from '@qd/core/define'
import { TaskResult } from '@qd/protocol/agent'
import { agentNews, extensionTask, taskType } from '@qd/protocol/task-types'
import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../../../../tests/support/fake-clock.ts'
import { createAbilities } from '../../fleet/agents/abilities.ts'
import { type AgentTask, createHub, type Hub } from '../../fleet/agents/hub.ts'
import { createQuestions } from '../operations/questions.ts'
import { createHostReadings, type HostReadings, type ReadingLimits } from './readings.ts'

/** A made-up kind of record: each line is one. */
const host: HostSource = {
  collector: 'units',
  example: 'a',
  parser: async () => (text) => {
    if (text === 'broken') throw new Error('parser')
    if (text === 'denied') return { state: 'no permission' }
    const rows = text.split('\n').map((name) => ({ name }))
    return { state: 'read', rows: rows.slice(0, 3), left: Math.max(0, rows.length - 3) }
  },
  shownMs: 5_000,
  commands: async () => () => null,
}
const kind = { name: 'made-up', host }

let clock: FakeClock
let hub: Hub
let readings: HostReadings
let sent: { serverId: number; task: AgentTask }[]
let versions: Map<number, string>
/** What was logged as an error. */
let failures: unknown[]

beforeEach(() => start())

function start(limits: Partial<ReadingLimits> = {}) {
  clock = createFakeClock()
  hub = createHub(clock)
  sent = []
  versions = new Map()
  const live = { hostOf: (id: number) => ({ platform: 'debian', version: versions.get(id) ?? '2.3.3+qd.0.1.0' }) }
  failures = []
  const log = { error: (about: unknown) => void failures.push(about) }
  readings = createHostReadings(
    { hub, abilities: createAbilities(hub), live, questions: createQuestions({ hub, clock }), clock, log },
    limits,
  )
}

/** An agent of ours, which knows the collector, or another. */
function connect(serverId: number, version?: string) {
  if (version !== undefined) versions.set(serverId, version)
  const link = { send: (task: AgentTask) => void sent.push({ serverId, task }), fail() {} }
  hub.openTasks(serverId, link)
  if (version === undefined) hub.result(serverId, TaskResult.create({ type: agentNews.collectors, data: '["units"]' }))
  return () => hub.closed(serverId, link)
}

function answer(data: string, successful = true, at = 0) {
  const [{ serverId, task }] = sent.splice(at, 1) as [(typeof sent)[number]]
  hub.result(serverId, TaskResult.create({ id: BigInt(task.id), type: BigInt(task.type), data, successful }))
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const read = (servers: number[], since = 0, waitMs = 15_000) => readings.read(kind, servers, { since, waitMs })
const stateOf = async (servers: number[]) => (await read(servers, 0, 0)).hosts[0]?.state

test('asks our agent for its collector, and answers what it says', async () => {
  connect(1)
  const answered = read([1])
  await settle()
  expect(sent).toMatchObject([
    { serverId: 1, task: { type: Number(extensionTask.collect), data: '{"collector":"units"}' } },
  ])
  answer('a\nb\nc\nd\ne')
  expect((await answered).hosts).toEqual([
    {
      serverId: 1,
      state: 'read',
      at: clock.now(),
      error: '',
      rows: '[{"name":"a"},{"name":"b"},{"name":"c"}]',
      openRows: '[{"name":"a"},{"name":"b"},{"name":"c"}]',
      left: 2,
    },
  ])
})

test('what may hold secrets is in one text of the rows and not in the other', async () => {
  connect(1)
  const parser = async () => () => ({ state: 'read' as const, rows: [{ name: 'a', secret: 'hunter2' }], left: 0 })
  const answered = readings.read({ ...kind, host: { ...host, parser, confidential: ['secret'] } }, [1], {
    since: 0,
    waitMs: 9_000,
  })
  await settle()
  answer('a')
  expect((await answered).hosts).toMatchObject([
    { rows: '[{"name":"a","secret":"hunter2"}]', openRows: '[{"name":"a"}]' },
  ])
})

test('a host that prints the same again is read again but not parsed again, until it was away or prints something else', async () => {
  const close = connect(1)
  const parsed: string[] = []
  const parser = async () => (text: string) => {
    parsed.push(text)
    return { state: 'read' as const, rows: [{ name: text }], left: 0 }
  }
  const readNow = async (text: string) => {
    await clock.advance(5_000)
    const answered = readings.read({ ...kind, host: { ...host, parser } }, [1], { since: 0, waitMs: 9_000 })
    await settle()
    answer(text)
    return (await answered).hosts
  }
  const same = () => [{ state: 'read', at: clock.now(), rows: '[{"name":"a"}]' }]
  expect(await readNow('a')).toMatchObject(same())
  expect(await readNow('a')).toMatchObject(same())
  expect(parsed).toEqual(['a'])
  expect(await readNow('b')).toMatchObject([{ rows: '[{"name":"b"}]' }])
  expect(await readNow('a')).toMatchObject(same())
  close()
  expect(await stateOf([1])).toBe('offline')
  connect(1)
  expect(await readNow('a')).toMatchObject(same())
  expect(parsed).toEqual(['a', 'b', 'a', 'a'])
})

test('our agent is told which output the server has, and need not repeat it; an existing one gets the same script each time', async () => {
  connect(1)
  connect(2, '1.8.0')
  const ask = async () => {
    const answered = read([1, 2])
    await settle()
    return { answered, asked: sent.map(({ task }) => task.data) }
  }
  const first = await ask()
  answer('a')
  answer('a')
  const { hosts } = await first.answered
  await clock.advance(5_000)
  const second = await ask()
  const known = createHash('sha256').update('a').digest('base64')
  expect(second.asked).toEqual([JSON.stringify({ collector: 'units', known }), first.asked[1]])
  answer('#@ unchanged')
  answer('a')
  expect((await second.answered).hosts).toEqual(hosts.map((reading) => ({ ...reading, at: clock.now() })))
  await clock.advance(5_000)
  const third = await ask()
  expect(third.asked).toEqual(second.asked)
  for (const data of ['b', 'b']) answer(data)
  expect((await third.answered).hosts).toMatchObject([{ rows: '[{"name":"b"}]' }, { rows: '[{"name":"b"}]' }])
})

test('two askers share a reading, and a third within the time that it counts as fresh', async () => {
  connect(1)
  const both = [read([1]), read([1])]
  await settle()
  expect(sent).toHaveLength(1)
  answer('a')
  const [first, second] = await Promise.all(both)
  expect(first).toEqual(second)
  await clock.advance(4_999)
  expect(await read([1])).toEqual(first)
  expect(sent).toHaveLength(0)
  await clock.advance(1)
  const third = read([1])
  await settle()
  expect(sent).toHaveLength(1)
  answer('b')
  expect((await third).hosts).toMatchObject([{ rows: '[{"name":"b"}]' }])
})

test('of many hosts each is read less often, and at once after a change', async () => {
  start({ perHostMs: 3_000 })
  for (const id of [1, 2]) connect(id)
  const answered = read([1, 2])
  await settle()
  answer('a')
  answer('b')
  await answered
  await clock.advance(5_999)
  await read([1, 2], 0, 0)
  expect(sent).toEqual([])
  readings.expire(2)
  await read([1, 2], 0, 0)
  await settle()
  expect(sent).toMatchObject([{ serverId: 2 }])
  await clock.advance(1)
  await read([1, 2], 0, 0)
  await settle()
  expect(sent).toMatchObject([{ serverId: 2 }, { serverId: 1 }])
})

test('after its time the call answers with what is there; the next one gets what came since', async () => {
  for (const id of [1, 2]) connect(id)
  const answered = read([1, 2, 3], 0, 1_000)
  await settle()
  answer('a')
  await settle()
  await clock.advance(1_000)
  const { cursor, hosts } = await answered
  expect(hosts.map(({ serverId, state }) => [serverId, state]).sort()).toEqual([
    [1, 'read'],
    [2, 'pending'],
    [3, 'offline'],
  ])
  const next = read([1, 2, 3], cursor)
  await settle()
  answer('b')
  expect((await next).hosts).toMatchObject([{ serverId: 2, state: 'read' }])
  expect((await read([1, 2, 3], (await next).cursor)).hosts).toEqual([])
})

test.each([
  ['unknown collector', 'not supported', ''],
  ['unavailable', 'not supported', ''],
  ['timed out', 'timed out', ''],
  ['too large', 'failed', 'too large'],
  ['sh: \u001b[31mno\nexit status 3', 'failed', 'exit status 3'],
  ['this agent is watch-only (watch_only on the host)', 'refused', ''],
])('a host that couldn’t be read: %j', async (data, state, error) => {
  connect(1)
  const answered = read([1])
  await settle()
  answer(data, false)
  expect((await answered).hosts).toMatchObject([{ state, error, rows: '[]' }])
})

test.each([
  ['exit status 3', 10_000],
  ['timed out', 60_000],
  ['unavailable', 600_000],
  ['this agent is watch-only (watch_only on the host)', 600_000],
])('of a kind that is read seldom, a host is read again: %j after %i ms', async (data, ms) => {
  connect(1)
  const seldom = { ...kind, host: { ...host, shownMs: 600_000 } }
  const readSeldom = () => void readings.read(seldom, [1], { since: 0, waitMs: 0 })
  readSeldom()
  await settle()
  answer(data, false)
  await settle()
  let waited = 0
  for (; sent.length === 0 && waited < 700_000; waited += 10_000) {
    await clock.advance(10_000)
    readSeldom()
    await settle()
  }
  expect(waited).toBe(ms)
})

test.each([
  ['broken', 'failed'],
  ['denied', 'no permission'],
  ['x'.repeat(2 ** 20 + 1), 'failed'],
])('what the parser makes of a text: %.10s', async (data, state) => {
  connect(1)
  const answered = read([1])
  await settle()
  answer(data)
  expect((await answered).hosts).toMatchObject([{ state, rows: '[]' }])
})

test('a host that hangs is timed out; its late answer is nobody’s', async () => {
  connect(1)
  const answered = read([1])
  await settle()
  await clock.advance(12_000)
  expect((await answered).hosts).toMatchObject([{ state: 'timed out' }])
  answer('late')
  expect(await stateOf([1])).toBe('timed out')
})

test('a host that disconnects is offline at once, and is read as soon as it is back', async () => {
  const leave = connect(1)
  const answered = read([1])
  await settle()
  leave()
  expect((await answered).hosts).toMatchObject([{ state: 'offline' }])
  connect(1)
  const back = read([1])
  await settle()
  answer('a', true, 1)
  expect((await back).hosts).toMatchObject([{ state: 'read' }])
})

test('an existing agent gets the script as a command, unless it runs on Windows; our own older agents get nothing', async () => {
  connect(1, '1.8.0')
  connect(2, '2.3.3+qd.0.0.9')
  const answered = read([1, 2])
  await settle()
  expect(sent).toHaveLength(1)
  expect(sent[0]!.task.type).toBe(Number(taskType.command))
  expect(sent[0]!.task.data).toMatch(/^script='locked=\nkept=\nrenice .* exec timeout -s KILL 10 sh -c "\$script"/s)
  answer('a')
  expect((await answered).hosts.map(({ serverId, state }) => `${serverId} ${state}`).sort()).toEqual([
    '1 read',
    '2 not supported',
  ])
})

test('at most so many hosts are asked at once; one that hangs gives its place away', async () => {
  start({ atOnce: 2, slotMs: 1_000 })
  for (const id of [1, 2, 3, 4, 5]) connect(id)
  const answered = read([1, 2, 3, 4, 5])
  await settle()
  expect(sent.map(({ serverId }) => serverId)).toEqual([1, 2])
  answer('a')
  await settle()
  expect(sent.map(({ serverId }) => serverId)).toEqual([2, 3])
  await clock.advance(1_000)
  expect(sent.map(({ serverId }) => serverId)).toEqual([2, 3, 4, 5])
  for (let left = 4; left > 0; left -= 1) answer('b')
  expect((await answered).hosts).toHaveLength(5)
})

test('what has expired is read again, also if it was being read', async () => {
  connect(1)
  const answered = read([1])
  await settle()
  readings.expire(1)
  answer('before')
  await answered
  const next = read([1])
  await settle()
  answer('after')
  expect((await next).hosts).toMatchObject([{ rows: '[{"name":"after"}]' }])
  readings.expire(1)
  void read([1])
  await settle()
  expect(sent).toHaveLength(1)
})

test('who asks for the first time while a host is read gets no older reading of it', async () => {
  connect(1)
  const answered = read([1])
  await settle()
  answer('a')
  const { cursor } = await answered
  await clock.advance(5_000)
  expect((await read([1], 0, 0)).hosts).toMatchObject([{ state: 'pending', rows: '[]' }])
  expect((await read([1], cursor, 0)).hosts).toEqual([])
  const next = read([1])
  answer('b')
  expect((await next).hosts).toMatchObject([{ state: 'read', rows: '[{"name":"b"}]' }])
})

test('who asks after a change gets no reading that began before it', async () => {
  connect(1)
  const early = read([1])
  await settle()
  readings.expire(1)
  const late = read([1])
  answer('before')
  expect((await early).hosts).toMatchObject([{ state: 'pending' }])
  await settle()
  expect(sent).toHaveLength(1)
  answer('after')
  expect((await late).hosts).toMatchObject([{ rows: '[{"name":"after"}]' }])
})

test('an agent that is read before it tells its collectors is read again', async () => {
  connect(1, '2.3.3+qd.0.1.0')
  const early = await read([1])
  expect(early.hosts).toMatchObject([{ state: 'not supported' }])
  hub.result(1, TaskResult.create({ type: agentNews.collectors, data: '["units", "what a later agent knows"]' }))
  const next = read([1], early.cursor)
  await settle()
  answer('a')
  expect((await next).hosts).toMatchObject([{ state: 'read' }])
})

test('an agent that tells its collectors again and again is not read more often', async () => {
  connect(1)
  const answered = read([1])
  await settle()
  answer('a')
  await answered
  hub.result(1, TaskResult.create({ type: agentNews.collectors, data: '[]' }))
  hub.result(1, TaskResult.create({ type: agentNews.collectors, data: '["units"]' }))
  await read([1], 0, 0)
  await settle()
  expect(sent).toEqual([])
})

test('an offline host that joins the selection after its reading comes with a later call', async () => {
  await read([1])
  const { cursor } = await read([1, 2])
  const { cursor: later } = await read([2, 3])
  expect(later).toBeGreaterThan(cursor)
  await clock.advance(5_000)
  expect((await read([1, 2, 3], later)).hosts.map(({ serverId }) => serverId)).toContain(1)
})

test('the cursor of an earlier process whose clock was ahead counts as none', async () => {
  expect((await read([1], clock.now() + 1_000_000)).hosts).toMatchObject([{ serverId: 1, state: 'offline' }])
})

test('servers beyond the size of one answer are pending, and come with the next call', async () => {
  start({ answer: 40 })
  for (const id of [1, 2, 3]) connect(id)
  const answered = read([1, 2, 3])
  await settle()
  for (let left = 3; left > 0; left -= 1) answer('x'.repeat(20))
  const { cursor, hosts } = await answered
  expect(hosts.map(({ serverId, state }) => [serverId, state])).toEqual([
    [1, 'read'],
    [2, 'pending'],
    [3, 'pending'],
  ])
  expect((await read([1, 2, 3], cursor, 0)).hosts).toMatchObject([{ serverId: 2, state: 'read' }, { state: 'pending' }])
})

test('rows that came with a later call, because one answer was full, come once', async () => {
  start({ answer: 40 })
  for (const id of [1, 2]) connect(id)
  const poll = async (since: number) => {
    const answered = readings.read(kind, [1, 2], { since, waitMs: 15_000, omitsSame: true })
    await settle()
    for (let left = sent.length; left > 0; left -= 1) answer('x'.repeat(20))
    const { cursor, hosts } = await answered
    return { cursor, got: hosts.map(({ serverId, state, rows }) => [serverId, state, rows.length > 2]) }
  }
  const first = await poll(0)
  expect(first.got).toEqual([
    [1, 'read', true],
    [2, 'pending', false],
  ])
  const second = await poll(first.cursor)
  expect(second.got).toEqual([[2, 'read', true]])
  await clock.advance(5_000)
  expect((await poll(second.cursor)).got).toEqual([
    [1, 'read', false],
    [2, 'read', false],
  ])
})

test('beyond what is kept, the reading goes that was asked for longest ago', async () => {
  start({ kept: 60 })
  for (const id of [1, 2, 3]) {
    connect(id)
    const answered = read([id])
    await settle()
    answer('x'.repeat(15))
    await answered
    await clock.advance(1)
  }
  void read([1, 2, 3])
  await settle()
  expect(sent.map(({ serverId }) => serverId)).toEqual([1])
})

test('nobody asks, nothing is kept and no timer runs', async () => {
  const timers = new Set<() => void>()
  const { after } = clock
  clock.after = (ms, run) => {
    const timer = () => {
      timers.delete(timer)
      run()
    }
    timers.add(timer)
    const cancel = after(ms, timer)
    return () => {
      timers.delete(timer)
      cancel()
    }
  }
  connect(1)
  const answered = read([1])
  await settle()
  answer('a')
  await answered
  await clock.advance(120_000)
  expect(timers.size).toBe(0)
})

test('a listener that fails is logged, and the host is read again', async () => {
  connect(1)
  readings.onRead(() => {
    throw new Error('listener')
  })
  for (const name of ['a', 'b']) {
    const answered = read([1])
    await settle()
    answer(name)
    expect((await answered).hosts[0]!.rows).toBe(`[{"name":"${name}"}]`)
    await clock.advance(5_000)
  }
  expect(failures).toMatchObject([{ serverId: 1 }, { serverId: 1 }])
})

test('hosts that are read for metrics alone have places of their own', async () => {
  start({ samplesAtOnce: 2, atOnce: 1 })
  for (const id of [1, 2, 3, 4]) connect(id)
  for (const id of [1, 2, 3]) void readings.sample(kind, id)
  void read([4])
  await settle()
  expect(sent.map(({ serverId }) => serverId)).toEqual([1, 2, 4])
  answer('a')
  await settle()
  expect(sent.map(({ serverId }) => serverId)).toEqual([2, 4, 3])
})

test('rows that a client has are left out, and come to who never got them', async () => {
  connect(1)
  const poll = async (since: number, output?: string) => {
    const answered = readings.read(kind, [1], { since, waitMs: 15_000, omitsSame: true })
    await settle()
    if (output !== undefined) answer(output)
    const { cursor, hosts } = await answered
    return { cursor, rows: hosts.map(({ state, rows }) => [state, rows]) }
  }
  const first = await poll(0, 'a')
  expect(first.rows).toEqual([['read', '[{"name":"a"}]']])
  await clock.advance(5_000)
  const second = await poll(first.cursor, 'a')
  expect(second.rows).toEqual([['read', '']])
  expect((await poll(first.cursor - 1)).rows).toEqual([['read', '[{"name":"a"}]']])
  expect((await readings.read(kind, [1], { since: first.cursor, waitMs: 0 })).hosts[0]!.rows).toBe('[{"name":"a"}]')
  await clock.advance(5_000)
  const third = await poll(second.cursor, 'b')
  expect(third.rows).toEqual([['read', '[{"name":"b"}]']])
  // A new client gets “pending” while the host is read, and its rows then, although they are the same.
  await clock.advance(5_000)
  const reading = readings.read(kind, [1], { since: third.cursor, waitMs: 15_000, omitsSame: true })
  await settle()
  const early = await readings.read(kind, [1], { since: 0, waitMs: 0, omitsSame: true })
  expect(early.hosts[0]).toMatchObject({ state: 'pending' })
  answer('b')
  await reading
  expect((await poll(early.cursor)).rows).toEqual([['read', '[{"name":"b"}]']])
})
