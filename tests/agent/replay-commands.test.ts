import type { Agent } from '@qd/agent/agent'
import { Task, TaskResult } from '@qd/protocol/agent'
import { inEnglish, refusals } from '@qd/protocol/refusals'
import { extensionHeader, extensionVersion, progressType, taskType } from '@qd/protocol/task-types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isMessage, loadFixture, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type AgentEvent, type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { isAlive } from './processes.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

const mostBytes = 2 ** 20
let server: RawServer
let agent: Agent | undefined
let tasks: ServerCall
const connect = async (options: Parameters<typeof startTestAgent>[1] = {}, extension = {}) => {
  server = await startRawServer(answerCalls(extension))
  agent = startTestAgent(server, options)
  tasks = await takeTaskCall(server)
  tasks.respond(extension)
}
const send = (task: Partial<Task>) => tasks.send(Task.encode(Task.create(task)).finish())
const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'RequestTask'
/** The next result is the one to a task sent now. */
const expectNothingElse = async () => {
  send({ id: 77n, type: taskType.keepalive })
  expect(await take()).toEqual(TaskResult.create({ id: 77n, type: taskType.keepalive }))
}
const take = async (timeoutMs?: number) => TaskResult.decode((await server.take(isResult, timeoutMs)).bytes)
afterEach(async () => {
  await agent?.stop()
  await server.close()
})

describe('commands as recorded', () => {
  beforeEach(() => connect())

  /** Where ours answers otherwise than the recorded agent, and why. */
  const differences: Record<string, { why: string; data: string | RegExp; successful?: boolean }> = {
    echo: { why: 'stderr is kept', data: 'hello\nerr\n' },
    notfound: { why: 'stderr is kept', data: /^sh: 1: no-such-program-xyz: not found\n\nexit status 127$/ },
    'non-utf8-output': {
      why: 'answered instead of breaking the connection',
      data: '\ufffd\ufffdabc\n[2 bytes aren’t UTF-8]',
      successful: true,
    },
    '3.5MB-output': { why: 'at most 1 MiB', data: /^y{1048320}\n\[2451680 bytes cut\]$/, successful: true },
    '5MB-output': { why: 'at most 1 MiB', data: /^z{1048320}\n\[3951680 bytes cut\]$/, successful: true },
  }
  const used = new Set<string>()
  const scenarios = loadFixture('commands').scenarios.filter(({ messages }) => messages.some(isTask))
  function isTask(line: Recorded): boolean {
    return isMessage(line) && line.message === 'Task'
  }

  test.each(scenarios)('$name', async ({ name, messages }) => {
    const task = Task.decode(Buffer.from(messages.find(isTask)!.hex!, 'hex'))
    tasks.send(messages.find(isTask)!.hex!)
    const recorded = messages.find((line) => isMessage(line) && line.message === 'TaskResult')
    const difference = differences[name]
    if (!recorded && !difference) return expectNothingElse()
    const result = await take()
    expect([result.id, result.type]).toEqual([task.id, task.type])
    expect(result.delay).toBeGreaterThan(0)
    expect(Buffer.byteLength(result.data)).toBeLessThanOrEqual(mostBytes)
    if (difference) {
      used.add(name)
      if (typeof difference.data === 'string') expect(result.data).toBe(difference.data)
      else expect(result.data).toMatch(difference.data)
    } else if (name === 'long64k') expect(result.data).toBe('x'.repeat(65_536))
    else expect(result.data).toBe(recorded!.decoded!.data ?? '')
    expect(result.successful).toBe(difference?.successful ?? recorded?.decoded?.successful ?? name === 'long64k')
  })

  test('every difference is still one', () => {
    expect([...used].sort()).toEqual(Object.keys(differences).sort())
  })
})

describe('commands beyond the recordings', () => {
  test('several at a time; a quick one does not wait for a slow one', async () => {
    await connect()
    send({ id: 1n, type: taskType.command, data: 'sleep 0.5; echo slow' })
    send({ id: 2n, type: taskType.command, data: 'echo quick' })
    expect([(await take()).data, (await take()).data]).toEqual(['quick\n', 'slow\n'])
  })

  test('an id above 2^53 is echoed exactly', async () => {
    await connect()
    send({ id: 2n ** 64n - 1n, type: taskType.command, data: 'true' })
    expect((await take()).id).toBe(2n ** 64n - 1n)
  })

  test('a command that never ends is killed with its group when its time is over', async () => {
    await connect({ timing: { commandMs: 300 } })
    send({ id: 1n, type: taskType.command, data: 'echo begun; sleep 1000 & echo $!; wait' })
    const { data, successful, delay } = await take()
    expect(data).toMatch(/^timed out after \d+ s\nbegun\n\d+\n\nsignal: killed$/)
    expect(successful).toBe(false)
    expect(delay).toBeGreaterThanOrEqual(0.29)
    const pid = Number(/\n(\d+)\n/.exec(data)![1])
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('a flood that never ends is cut and killed, and the agent goes on', async () => {
    await connect({ timing: { commandMs: 1500 } })
    send({ id: 1n, type: taskType.command, data: 'exec yes' })
    const { data, successful } = await take(10_000)
    expect(successful).toBe(false)
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(mostBytes)
    expect(data.slice(0, 40)).toMatch(/^timed out after 2 s\n(y\n)+/)
    expect(data.slice(-80)).toMatch(/\n\[\d+ bytes cut\]\n+signal: killed$/)
    await expectNothingElse()
  })

  test('a child that left the group does not hold the result back after the time limit', async () => {
    await connect({ timing: { commandMs: 200 } })
    send({ id: 1n, type: taskType.command, data: 'setsid sleep 3 & wait' })
    expect((await take(2500)).data).toContain('timed out after 0 s')
  })

  test('the secret of the agent is not in the environment of a command', async () => {
    process.env.NZ_CLIENT_SECRET = 'top-secret'
    await connect()
    send({ id: 1n, type: taskType.command, data: 'env' })
    expect((await take()).data).not.toContain('top-secret')
    delete process.env.NZ_CLIENT_SECRET
  })

  test('10 MB of output: 1 MiB of it, the rest counted', async () => {
    await connect()
    send({ id: 1n, type: taskType.command, data: 'yes 0123456789ü | head -c 10000000; exit 3' })
    const { data } = await take()
    const kept = data.slice(0, data.lastIndexOf('\n['))
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(mostBytes)
    expect(data.slice(kept.length)).toBe(`\n[${10_000_000 - Buffer.byteLength(kept)} bytes cut]\nexit status 3`)
  })

  test('issue 36.8: commands switched off are refused in English', async () => {
    await connect({ config: { disable_command_execute: true } })
    send({ id: 1n, type: taskType.command, data: 'echo x' })
    expect(await take()).toMatchObject({ successful: false, data: refusals.commandsDisabled })
  })
})

describe('what this agent does not do is answered as by an existing agent that has it switched off', () => {
  const scenario = loadFixture('disabled-features').scenarios[0]!.messages.filter(isMessage)
  const results = scenario.filter(({ message }) => message === 'TaskResult').map(({ decoded }) => decoded!)

  test('the recorded tasks, results in any order; terminal, files, NAT and unknown types stay without one', async () => {
    await connect({ config: { disable_command_execute: true, disable_send_query: true } })
    for (const line of scenario.filter(({ message }) => message === 'Task')) tasks.send(line.hex!)
    for (const type of [0n, 5n, 10n, 99n, 2n ** 60n]) send({ id: 1n, type })
    const seen: object[] = []
    for (const _ of results) seen.push(await take())
    // The same refusals, in English (issue 36.8).
    const ours = results.map((decoded) => ({ ...decoded, data: inEnglish(String(decoded.data ?? '')) }))
    const wanted = ours.map((decoded) => TaskResult.create(decoded))
    expect(seen).toEqual(expect.arrayContaining(wanted.filter(({ type }) => type !== 0n)))
    await expectNothingElse()
  })
})

describe('progress (docs/reference/agent-extensions.md)', () => {
  test('a server that announces itself hears that the command runs, and its output in pieces', async () => {
    await connect({}, { [extensionHeader]: extensionVersion })
    send({ id: 9n, type: taskType.command, data: 'echo one; sleep 0.3; echo two' })
    expect(await take()).toEqual(TaskResult.create({ id: 9n, type: progressType.running }))
    const pieces: string[] = []
    let result = await take()
    for (; result.type === progressType.output; result = await take()) pieces.push(result.data)
    expect(pieces[0]).toBe('one\n')
    expect('one\ntwo\n').toContain(pieces.join(''))
    expect(result).toMatchObject({ id: 9n, type: taskType.command, data: 'one\ntwo\n', successful: true })
  })

  test('a stopped agent leaves no command behind', async () => {
    await connect({}, { [extensionHeader]: extensionVersion })
    send({ id: 9n, type: taskType.command, data: 'echo $$; sleep 1000 & wait' })
    await take()
    const pid = Number((await take()).data)
    expect(isAlive(pid)).toBe(true)
    await agent?.stop()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('a server that does not hears the result only', async () => {
    await connect()
    send({ id: 9n, type: taskType.command, data: 'echo one; sleep 0.1; echo two' })
    expect(await take()).toMatchObject({ type: taskType.command, data: 'one\ntwo\n' })
    await expectNothingElse()
  })
})
