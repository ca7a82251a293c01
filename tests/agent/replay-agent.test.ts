import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Agent } from '@qd/agent/agent'
import { Host, State } from '@qd/protocol/agent'
import { afterEach, expect, test } from 'vitest'
import { loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import type { AgentEvent, RawServer } from '../support/peers/h2-server.ts'
import { startRawServer } from '../support/peers/h2-server.ts'
import { type Act, type Calls, replayServerSide } from '../support/peers/replay-server.ts'
import { identity, startTestAgent } from './world.ts'

const opened: { stop?(): Promise<void>; close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const { stop, close } of opened.splice(0).reverse()) await (stop ?? close)?.()
})

/** A page that tells every caller the address of the recordings. */
const startAddressPage = async (): Promise<string> => {
  const page = createServer((_request, response) => response.end('1.2.3.4\n'))
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  opened.push({ close: () => new Promise((resolve) => page.close(() => resolve())) })
  return `http://127.0.0.1:${(page.address() as AddressInfo).port}/ip`
}

const start = async (): Promise<{ server: RawServer; agent: Agent }> => {
  const server = await startRawServer()
  opened.push(server)
  const agent = startTestAgent(server, { config: { custom_ip_api: [await startAddressPage()] } })
  opened.push(agent)
  return { server, agent }
}

const scenario = (file: string, name: string): Recorded[] => loadScenario(file, name).messages

/** Our agent's headers beside the recorded ones: the same but for these, which a server has no use for or that vary. */
const varying = new Set([':authority', 'user-agent', 'grpc-timeout', 'accept-encoding', 'grpc-accept-encoding'])

const checkHeaders = ({ expected, actual }: Act) => {
  if (actual.event !== 'open') return
  const recorded = Object.fromEntries(expected.headers!.map((line) => line.split(/(?<=.): /, 2) as [string, string]))
  const stable = (headers: object) => Object.fromEntries(Object.entries(headers).filter(([name]) => !varying.has(name)))
  expect(stable(actual.headers)).toEqual(stable(recorded))
  const extra = Object.keys(actual.headers).filter((name) => !(name in recorded))
  expect(
    extra.every((name) => varying.has(name)),
    String(extra),
  ).toBe(true)
  expect('grpc-timeout' in actual.headers).toBe('grpc-timeout' in recorded)
}

const checkMessage = ({ expected, actual }: Act) => {
  if (actual.event !== 'message') return
  if (expected.message === 'Host') {
    const host = Host.decode(actual.bytes)
    expect(host.cpu.join()).toMatch(/ \d+ (Physical|Virtual) Core/)
    expect([host.platform, host.platform_version, host.arch, host.version].every(Boolean)).toBe(true)
    for (const figure of [host.mem_total, host.disk_total, host.boot_time]) expect(figure).toBeGreaterThan(0n)
  } else if (expected.message === 'State') {
    const state = State.decode(actual.bytes)
    expect(state.cpu).toBeGreaterThanOrEqual(0)
    expect(state.cpu).toBeLessThanOrEqual(100)
    for (const figure of [state.mem_used, state.disk_used, state.uptime, state.process_count])
      expect(figure).toBeGreaterThan(0n)
  } else expect(actual.bytes.toString('hex')).toBe(expected.hex)
}

const check = (acts: Act[]) => {
  for (const act of acts) {
    if (act.expected.headers) checkHeaders(act)
    checkMessage(act)
  }
}

/** The agent connects by the recording `first-connect`; the calls are then known as the recorded streams 3 and 5. */
const connect = async (server: RawServer, connection: number): Promise<Calls> => {
  const calls: Calls = new Map()
  await replayServerSide(scenario('connect', 'first-connect'), server, calls)
  return new Map([3, 5].map((stream) => [`${connection}/${stream}`, calls.get(`0/${stream}`)!]))
}

test('first connect: order, headers, framing and messages as recorded', async () => {
  const { server } = await start()
  const acts = await replayServerSide(scenario('connect', 'first-connect'), server)
  check(acts)
  const opened = acts.flatMap(({ actual }) => (actual.event === 'open' ? [actual.call.id] : []))
  expect(opened).toEqual([1, 3, 5, 7, 9])
})

test('keepalive and cadence as recorded: one report at a time, each waits for its receipt', async () => {
  const { server } = await start()
  const calls = await connect(server, 0)
  check(await replayServerSide(scenario('connect', 'keepalive-and-cadence'), server, calls))
  const state = await server.take((event) => event.event === 'message' && event.method === 'ReportSystemState')
  expect(state).toBeDefined()
  const isState = (event: AgentEvent) => event.event === 'message' && event.method === 'ReportSystemState'
  await expect(server.take(isState, 150)).rejects.toThrow('nothing came')
})

test('server restart as recorded: GOAWAY does not stop the reports, the lost connection does; addresses are told again', async () => {
  const { server } = await start()
  check(await replayServerSide(scenario('reconnect', 'server-restart'), server, await connect(server, 1)))
})

test('superseded by an agent with the same uuid: leaves in the recorded order and comes back', async () => {
  const { server } = await start()
  const calls = await connect(server, 2)
  const lines = scenario('reconnect', 'two-agents-same-uuid').filter(({ connection }) => connection === 2)
  // Node tells a server nothing of an RST_STREAM(NO_ERROR) for a call that it has ended itself.
  const seen = lines.filter(
    (line) =>
      !(line.event === 'rst-stream' && line.code === 0) && !(line.event === 'tcp-fin' && line.dir === 'server->agent'),
  )
  await replayServerSide(seen, server, calls)
  const again = await server.take((event) => event.event === 'open' && event.method === 'ReportSystemInfo2')
  expect(again).toMatchObject({ connection: 2, headers: { 'client-uuid': identity.uuid } })
})

test('a task call that the server ends takes the connection down in the recorded order', async () => {
  const { server } = await start()
  const calls = await connect(server, 0)
  const recorded = scenario('commands', '5MB-output')
  const lines = recorded.slice(recorded.findIndex(({ event }) => event === 'trailers'))
  const isUnseen = ({ event, dir, code }: Recorded) =>
    (event === 'rst-stream' && code === 0 && dir === 'agent->server') || (event === 'goaway' && dir === 'server->agent')
  calls.get('0/3')!.respond()
  check(
    await replayServerSide(
      lines.filter((line) => !isUnseen(line)),
      server,
      calls,
    ),
  )
})

test('a server that falls silent is left and tried again', async () => {
  const server = await startRawServer()
  opened.push(server)
  const agent = startTestAgent(server, { timing: { receiptMs: 100 } })
  opened.push(agent)
  await replayServerSide(scenario('connect', 'first-connect').slice(0, 14), server)
  await server.take((event) => event.event === 'tcp-open' && event.connection === 2)
  expect(agent.log[0]).toContain('no response from the server for 0.1 s')
})

test('wrong secret as recorded: says so in one line, tries again for ever on new connections', async () => {
  const server = await startRawServer()
  opened.push(server)
  const agent = startTestAgent(server, { config: { client_secret: 'wrong' } })
  opened.push(agent)
  const lines = scenario('auth-and-errors', 'real-agent-wrong-secret-and-block')
  const acts = await replayServerSide(
    lines.filter((line) => !(line.dir === 'server->agent' && /goaway|tcp-fin/.test(line.event!))),
    server,
  )
  expect(acts.filter(({ actual }) => actual.event === 'tcp-open')).toHaveLength(5)
  expect(agent.log[0]).toMatch(
    /^127\.0\.0\.1:\d+ refused this agent; check --secret and --uuid: 客户端认证失败; retrying in [\d.]+ s$/,
  )
  expect(agent.log[2]).toMatch(/^cannot connect to .*: you were blocked by nezha WAF; retrying in /)
})
