import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import type { Agent } from '@qd/agent/agent'
import { defaultTiming } from '@qd/agent/timing'
import { Task, TaskResult } from '@qd/protocol/agent'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../support/certificates.ts'
import { isMessage, loadFixture } from '../support/peers/agent-fixtures.ts'
import { type AgentEvent, type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

const [round, pings] = loadFixture('probes').scenarios
const recorded = round!.messages.filter(isMessage)
const sent = recorded
  .filter(({ message }) => message === 'Task')
  .map(({ hex }) => Task.decode(Buffer.from(hex!, 'hex')))
const answered = [...recorded, ...pings!.messages]
  .filter(({ message }) => message === 'TaskResult')
  .map(({ hex }) => TaskResult.decode(Buffer.from(hex!, 'hex')))

/** Where ours answers otherwise than the recorded agent, and why. */
const differences: Readonly<Record<string, { why: string; successful: boolean; data: RegExp }>> = {
  7: {
    why: 'its authority is not trusted here; trusted sites are in probes.test.ts',
    successful: false,
    data: /self-signed/,
  },
  9: { why: 'the words of ping, or none came back', successful: false, data: /Network is unreachable|pockets recv 0/ },
}

let http: Server
let https: ReturnType<typeof createHttpsServer>
let server: RawServer
let agent: Agent
let tasks: ServerCall

/** The recorded ports are those of the machine that was recorded. */
const here = (target: string) =>
  target
    .replace('18210', String((http.address() as AddressInfo).port))
    .replace('18213', String((https.address() as AddressInfo).port))

const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'RequestTask'
const take = async (timeoutMs?: number) => TaskResult.decode((await server.take(isResult, timeoutMs)).bytes)
const send = (task: Partial<Task>) => tasks.send(Task.encode(Task.create(task)).finish())
const connect = async (options: Parameters<typeof startTestAgent>[1] = {}) => {
  server = await startRawServer(answerCalls())
  agent = startTestAgent(server, options)
  tasks = await takeTaskCall(server)
  tasks.respond({})
}
/** Answers with the status that its path names; `/endless` sends a body without end. */
const listen = <S extends Server | TcpServer>(listener: S) =>
  new Promise<S>((resolve) => listener.listen(0, '127.0.0.1', () => resolve(listener)))

beforeAll(async () => {
  http = await listen(
    createHttpServer(({ url = '' }, response) => {
      if (url === '/slow') return
      const status = Number(/\d+/.exec(url)?.[0] ?? 200)
      response.writeHead(status, status === 302 ? { location: '/500' } : {})
      if (url !== '/endless') return void response.end('body')
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }),
  )
  const certificate = makeCertificate({ days: 5, name: 'localhost' })
  https = createHttpsServer(certificate, (_request, response) => response.end('body'))
  await listen(https)
})
afterAll(() => {
  http.closeAllConnections()
  http.close()
  https.close()
})
afterEach(async () => {
  await agent?.stop()
  await server.close()
})

test('one round as recorded, results in completion order', async () => {
  await connect({ timing: { probe: { ...defaultTiming.probe, icmpMs: 6_000 } } })
  for (const task of sent) send({ ...task, data: here(task.data) })
  const results: TaskResult[] = []
  while (results.length < sent.length) results.push(await take(25_000))
  expect(results.map(({ id }) => id).sort()).toEqual(sent.map(({ id }) => id).sort())
  for (const { id, type, successful, data, delay } of results) {
    const difference = differences[String(id)]
    const wanted = answered.find((result) => result.id === id)!
    expect([id, type, successful]).toEqual([id, wanted.type, difference?.successful ?? wanted.successful])
    if (difference) expect(data, difference.why).toMatch(difference.data)
    else expect(data).toBe(here(wanted.data))
    expect(delay > 0).toBe(wanted.delay > 0 && !difference)
  }
})

describe('probes beyond the recordings', () => {
  test('a TCP service over IPv6', async () => {
    const listener = createTcpServer((socket) => socket.end())
    await new Promise<void>((resolve) => listener.listen(0, '::1', resolve))
    await connect()
    send({ id: 1n, type: 3n, data: `[::1]:${(listener.address() as AddressInfo).port}` })
    expect(await take()).toMatchObject({ id: 1n, successful: true, data: '' })
    listener.close()
  })

  test('a site that does not answer in time', async () => {
    await connect({ timing: { probe: { httpMs: 100, icmpMs: 100, tcpMs: 100 } } })
    send({ id: 1n, type: 1n, data: here('http://127.0.0.1:18210/slow') })
    expect(await take()).toMatchObject({
      successful: false,
      data: here('Get "http://127.0.0.1:18210/slow": i/o timeout'),
    })
  })

  test('a body without end is read to a bound', async () => {
    await connect()
    send({ id: 1n, type: 1n, data: here('http://127.0.0.1:18210/endless') })
    expect(await take(20_000)).toMatchObject({ successful: true })
  })

  test('a ping that takes too long is ended, and what came back counts', async () => {
    await connect({ timing: { probe: { httpMs: 100, icmpMs: 1500, tcpMs: 100 } } })
    send({ id: 1n, type: 2n, data: '127.0.0.1' })
    const { successful, delay } = await take()
    expect(successful).toBe(true)
    expect(delay).toBeGreaterThan(0)
  })

  test('a quick probe does not wait for a slow one', async () => {
    await connect()
    send({ id: 1n, type: 1n, data: here('http://127.0.0.1:18210/slow') })
    send({ id: 2n, type: 1n, data: here('http://127.0.0.1:18210/ok') })
    expect(await take()).toMatchObject({ id: 2n, successful: true })
  })

  test('probes switched off are refused in the existing words', async () => {
    await connect({ config: { disable_send_query: true } })
    for (const type of [1n, 2n, 3n]) {
      send({ id: type, type, data: '127.0.0.1:1' })
      expect(await take()).toMatchObject({
        id: type,
        successful: false,
        data: 'This server has disabled query sending',
      })
    }
  })
})
