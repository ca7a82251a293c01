import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AgentConfig } from '@qd/agent/config'
import { Host, Task, TaskResult } from '@qd/protocol/agent'
import { refusals } from '@qd/protocol/refusals'
import { extensionHeader, extensionVersion, progressType, taskType } from '@qd/protocol/task-types'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isMessage, loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type AgentEvent, type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { replayServerSide } from '../support/peers/replay-server.ts'
import { askForTerminal, takeShell } from './shell.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

let server: RawServer
let agent: ReturnType<typeof startTestAgent> | undefined
let tasks: ServerCall
type Options = Parameters<typeof startTestAgent>[1]
const ours = { [extensionHeader]: extensionVersion }

/** An existing server that takes the agent to its tasks, or ours with its header. */
const connect = async (options: Options = {}, extension = {}) => {
  server = await startRawServer(answerCalls(extension))
  agent = startTestAgent(server, options)
  tasks = await takeTaskCall(server)
  tasks.respond(extension)
}
const send = (type: bigint, data: unknown = '', id = 9n) =>
  tasks.send(Task.encode({ id, type, data: typeof data === 'string' ? data : JSON.stringify(data) }).finish())
const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'RequestTask'
const take = async () => TaskResult.decode((await server.take(isResult)).bytes)
const ask = async (...task: Parameters<typeof send>) => {
  send(...task)
  return take()
}
afterEach(async () => {
  await agent?.stop()
  await server.close()
})

/** The agent of the recordings. */
const recordedConfig: Partial<AgentConfig> = {
  debug: true,
  temperature: false,
  disable_auto_update: true,
  report_delay: 1,
  ip_report_period: 30,
  custom_ip_api: ['http://127.0.0.1:18299/ip'],
}

describe('configuration as recorded', () => {
  test('report-config: the same JSON, key by key in the same order', async () => {
    await connect({ config: recordedConfig })
    const [, recorded] = loadScenario('config', 'report-config').messages.filter(isMessage)
    const { data, successful } = await ask(taskType.reportConfig)
    const wanted = String(recorded!.decoded!.data).replace('127.0.0.1:18202', `127.0.0.1:${server.port}`)
    expect([successful, data]).toEqual([true, wanted])
  })

  /** Texts that ours says otherwise, and why. */
  const differences: Record<string, string> = {
    // JavaScript's own words for what is not JSON.
    "invalid character 'o' in literal null (expecting 'u')": `Unexpected token 'o', "not json" is not valid JSON`,
  }

  test('apply-config: taken, refusals meanwhile, then the connection ends in the recorded order and comes back', async () => {
    server = await startRawServer()
    agent = startTestAgent(server, {
      config: { ...recordedConfig, custom_ip_api: [] },
      timing: { applyDelayMs: 700 },
    })
    const calls = await replayFirstConnect()
    const lines = loadScenario('config', 'apply-config').messages
    const isSeen = ({ event, dir }: Recorded) =>
      !(dir === 'server->agent' && (event === 'goaway' || event === 'tcp-fin')) && event !== 'response-headers'
    const taskPart = lines.filter((line) => isSeen(line) && line.connection === undefined && line.at < 11)
    calls.get('0/3')!.respond()
    const acts = await replayServerSide(taskPart, server, calls)
    for (const { expected, actual } of acts) {
      if (actual.event !== 'message') continue
      const result = TaskResult.decode(actual.bytes)
      const text = String(expected.decoded!.data ?? '')
      expect([result.data, result.successful]).toEqual([
        differences[text] ?? text,
        expected.decoded!.successful ?? false,
      ])
    }
    expect(agent.settings.current).toMatchObject({ report_delay: 2, ip_report_period: 30 })
    const again = await server.take((event) => event.event === 'open' && event.method === 'ReportSystemInfo2')
    expect(again).toMatchObject({ connection: 2 })
  })
})

/** Takes the agent through its first calls by the recording; returns the calls by the recorded stream ids 3 and 5. */
const replayFirstConnect = async () => {
  const acts = new Map<string, ServerCall>()
  const lines = loadScenario('connect', 'first-connect').messages
  const beforeGeo = lines.findIndex(({ method }) => method === 'ReportGeoIP')
  await replayServerSide(lines.slice(0, beforeGeo), server, acts)
  return new Map([3, 5].map((stream) => [`0/${stream}`, acts.get(`0/${stream}`)!]))
}

describe('configuration beyond the recordings', () => {
  test('an existing server: a later change replaces the one that waits; what cannot be kept is not applied', async () => {
    const save = vi.fn(async () => undefined)
    await connect({ save, timing: { applyDelayMs: 100 } })
    expect(await ask(taskType.applyConfig, { report_delay: 3 })).toMatchObject({ successful: true, data: '' })
    expect(await ask(taskType.applyConfig, { debug: true })).toMatchObject({ successful: true })
    tasks = await takeTaskCall(server)
    expect(agent!.settings.current).toMatchObject({ report_delay: 1, debug: true })
    expect(save).toHaveBeenCalledTimes(1)
    tasks.respond()
    save.mockRejectedValue(new Error('disk full'))
    expect(await ask(taskType.applyConfig, { report_delay: 4 })).toMatchObject({ successful: true })
    await expect.poll(() => agent!.log.join()).toContain('failed to save the new configuration: disk full')
    expect(await ask(taskType.reportConfig)).toMatchObject({ successful: false, data: 'another reload is in process' })
    expect(agent!.settings.current.report_delay).toBe(1)
  })

  test('our server: in force at once, told, and the connection stays', async () => {
    await connect({}, ours)
    expect(await ask(taskType.applyConfig, { report_delay: 2, skip_procs_count: true })).toEqual(
      TaskResult.create({ id: 9n, type: progressType.applied }),
    )
    expect(await take()).toEqual(TaskResult.create({ id: 9n, type: taskType.applyConfig, successful: true }))
    const { data } = await ask(taskType.reportConfig)
    expect(JSON.parse(data)).toMatchObject({ report_delay: 2, skip_procs_count: true })
    expect(server.unread.some((event) => 'connection' in event && event.connection > 1)).toBe(false)
  })

  test('our server: two changes at once add up', async () => {
    const save = () => new Promise<void>((resolve) => setTimeout(resolve, 20))
    await connect({ save }, ours)
    send(taskType.applyConfig, { report_delay: 2 }, 1n)
    send(taskType.applyConfig, { debug: true }, 2n)
    const results = [await take(), await take(), await take(), await take()]
    expect(results.map(({ id, type }) => `${id}/${type}`)).toEqual(['1/1013', '1/13', '2/1013', '2/13'])
    expect(agent!.settings.current).toMatchObject({ report_delay: 2, debug: true })
  })

  test('our server: what cannot be kept is a failure with its reason, what is refused too', async () => {
    await connect({ save: () => Promise.reject(new Error('disk full')) }, ours)
    expect(await ask(taskType.applyConfig, { report_delay: 2 })).toMatchObject({ successful: false, data: 'disk full' })
    expect(await ask(taskType.applyConfig, { report_delay: 9 })).toMatchObject({
      successful: false,
      data: 'report-delay ranges from 1-4',
    })
    expect(agent!.settings.current.report_delay).toBe(1)
  })

  test('our server: another uuid is another connection, at once', async () => {
    await connect({}, ours)
    const uuid = '11111111-91c4-7d08-0e2f-5a6b7c8d9e0f'
    send(taskType.applyConfig, { uuid })
    await take()
    const again = await server.take((event) => event.event === 'open' && event.connection === 2)
    expect(again).toMatchObject({ headers: { 'client-uuid': uuid } })
  })

  test('commands switched off from the server: open shells end, the next task is refused', async () => {
    await connect({}, ours)
    askForTerminal(tasks)
    const shell = await takeShell(server)
    send(taskType.applyConfig, { disable_command_execute: true })
    await take()
    await take()
    await shell.ended('rst-stream')
    tasks = await takeTaskCall(server)
    tasks.respond(ours)
    // issue 36.8: first the code, then the text.
    for (const type of [taskType.reportConfig, taskType.applyConfig]) {
      expect(await ask(type, {})).toMatchObject({ type: progressType.refused, data: 'commandsDisabled' })
      expect(await take()).toMatchObject({ type, successful: false, data: refusals.commandsDisabled })
    }
  })

  test('a new configuration tells the machine and its addresses again', async () => {
    server = await startRawServer(answerUnary(ours))
    agent = startTestAgent(server)
    tasks = await takeTaskCall(server)
    tasks.respond(ours)
    const isHost = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
      event.event === 'message' && event.method === 'ReportSystemInfo2'
    await server.take(isHost)
    await server.take(isHost)
    await ask(taskType.applyConfig, { hard_drive_partition_allowlist: ['/proc'] })
    expect(Host.decode((await server.take(isHost)).bytes).disk_total).toBe(0n)
  })
})

/** As `answerCalls`, with the reports on the machine left in the inbox. */
const answerUnary = (extension: Record<string, string>) => {
  const answer = answerCalls(extension)
  return (event: AgentEvent) => answer(event) && !(event.event === 'message' && event.method === 'ReportSystemInfo2')
}

describe('transfer of ownership as recorded', () => {
  const data = (name: string) => readFileSync(fileURLToPath(new URL(`../data/tls/${name}`, import.meta.url)), 'utf8')
  const [task, result] = loadScenario('ownership-transfer', 'accepted').messages.filter(isMessage)

  test('accepted over TLS: the next connection bears the new secret', async () => {
    const tls = { cert: data('localhost.cert.pem'), key: data('localhost.key.pem') }
    server = await startRawServer(answerCalls(), tls)
    agent = startTestAgent(server, {
      config: { server: `localhost:${server.port}`, tls: true, insecure_tls: true },
      timing: { applyDelayMs: 50 },
    })
    tasks = await takeTaskCall(server)
    tasks.respond()
    tasks.send(task!.hex!)
    expect((await take()).data).toBe(
      'ServerTransferApply rejected: rotated secret cannot be delivered over plaintext or InsecureTLS',
    )
    // The certificate of the test is nobody's; the check itself is what the agent's configuration says.
    await agent.settings.save({ ...agent.settings.current, insecure_tls: false })
    tasks.send(task!.hex!)
    const answer = await take()
    expect(answer).toEqual(TaskResult.create(TaskResult.decode(Buffer.from(result!.hex!, 'hex'))))
    await expect.poll(() => agent!.settings.current.client_secret).toBe('swiD8t6rNvh2HfNMtIEIe6Lm94rptF1o')
    await agent.settings.save({ ...agent.settings.current, insecure_tls: true })
    const again = await server.take((event) => event.event === 'open' && event.connection > 1, 10_000)
    expect(again).toMatchObject({
      headers: {
        'client-secret': 'swiD8t6rNvh2HfNMtIEIe6Lm94rptF1o',
        client_secret: 'swiD8t6rNvh2HfNMtIEIe6Lm94rptF1o',
      },
    })
  })

  test('while a transfer waits for its time, a configuration is refused and another secret replaces it', async () => {
    await connect({ config: { tls: false }, timing: { applyDelayMs: 60_000 } })
    await agent!.settings.save({ ...agent!.settings.current, tls: true })
    expect(await ask(taskType.applyTransfer, { client_secret: 'a'.repeat(32) })).toMatchObject({ successful: true })
    expect(await ask(taskType.applyConfig, { debug: true })).toMatchObject({
      successful: false,
      data: refusals.transferPending,
    })
    expect(await ask(taskType.applyTransfer, { client_secret: 'b'.repeat(32) })).toMatchObject({ successful: true })
    expect(await ask(taskType.reportConfig)).toMatchObject({ data: 'another reload is in process' })
  })
})
