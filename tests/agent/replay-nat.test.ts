import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Agent } from '@qd/agent/agent'
import { IOStreamData, Task } from '@qd/protocol/agent'
import { parseAttachFrame } from '@qd/protocol/stream-frames'
import { taskType } from '@qd/protocol/task-types'
import { afterEach, describe, expect, test } from 'vitest'
import { isMessage, loadFixture, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type AgentEvent, type RawServer, startRawServer } from '../support/peers/h2-server.ts'
import { createWorld } from '../support/world.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

interface Scenario {
  name: string
  client_request: string
  client_received: string
  messages: Recorded[]
}
const { scenarios } = loadFixture<{ scenarios: Scenario[] }>('nat')
const textOf = ({ decoded }: Recorded) =>
  Buffer.from((decoded as { data?: string }).data ?? '', 'hex').toString('latin1')

/** What went over the recorded stream in one direction, without the attach frame and the text that existing agents end with. */
function relayed({ messages }: Scenario, dir: Recorded['dir']): string {
  const lines = messages.filter((line) => isMessage(line) && line.method === 'IOStream' && line.dir === dir).map(textOf)
  return lines.filter((text) => !text.startsWith('\xff\x05') && text !== 'EOF').join('')
}

/** Existing servers send a chunked body as one chunk, ours as it comes. */
const withoutChunks = (text: string) => text.replace(/\r\n[0-9a-f]+\r\n/g, '')

describe('server: what the recorded agent says reaches the visitor, without EOF; the request reaches the agent without credentials', () => {
  // Each request has a connection of its own (docs/operate/nat.md), so that the second of `keepalive` is one of the others.
  test.each(scenarios.filter(({ name }) => name !== 'keepalive' && name !== 'dead'))('$name', async (scenario) => {
    const world = await createWorld()
    try {
      const root = await world.login()
      const agent = await world.agent()
      const profile = { name: 'n', enabled: true, server_id: 1, host: '127.0.0.1:18210', domain: 'nat.example.test' }
      await root.api('POST', 'nat', profile)
      const socket = connect(world.port, '127.0.0.1')
      let received = ''
      socket.on('data', (part: Buffer) => {
        received += part.toString('latin1')
      })
      socket.write(scenario.client_request)
      let task = await agent.nextTask()
      while (BigInt(task.type) !== taskType.nat) task = await agent.nextTask()
      expect(JSON.parse(task.data)).toEqual({ StreamID: expect.any(String), Host: '127.0.0.1:18210' })
      const call = agent.attach(task)
      let asked = ''
      const [head, body = ''] = relayed(scenario, 'server->agent').split('\r\n\r\n')
      const content = body.replace(/^[0-9a-f]+\r\n|\r\n0(?:\r\n.*)?$/gs, '')
      while (!asked.includes('\r\n\r\n') || (content !== '' && !withoutChunks(asked).includes(content))) {
        const event = await call.take((one) => one.event === 'message')
        if (event.event === 'message') asked += Buffer.from(IOStreamData.decode(event.bytes).data).toString('latin1')
      }
      expect(asked.split('\r\n')[0]).toBe(head!.split('\r\n')[0])
      expect(asked).toMatch(/^Host: nat\.example\.test\r$/im)
      expect(asked).not.toMatch(/authorization/i)
      for (const name of ['Cookie: a=b', 'x-lower: 1'])
        if (scenario.client_request.includes(name)) expect(asked).toContain(name)
      const said = relayed(scenario, 'agent->server')
      for (const part of [said, 'EOF']) call.send(IOStreamData.encode({ data: Buffer.from(part, 'latin1') }).finish())
      call.halfClose()
      const wanted = said.split('\r\n\r\n').slice(1).join('\r\n\r\n')
      await expect.poll(() => received).toContain(wanted)
      await expect.poll(() => world.server.container.streams.count()).toBe(0)
      expect(received).not.toContain('EOF')
      socket.destroy()
    } finally {
      await world.close()
    }
  })
})

describe('agent: what the recorded server says reaches the target, and its answer the server', () => {
  let server: RawServer
  let agent: Agent | undefined
  afterEach(async () => {
    await agent?.stop()
    await server.close()
  })

  async function stream(host: string) {
    server = await startRawServer(answerCalls())
    agent = startTestAgent(server)
    const tasks = await takeTaskCall(server)
    tasks.respond()
    const data = JSON.stringify({ StreamID: '9298b379-35b6-2589-faa6-f3f0bac4adc9', Host: host })
    tasks.send(Task.encode(Task.fromPartial({ type: taskType.nat, data })).finish())
    const opened = await server.take(
      (event): event is Extract<AgentEvent, { event: 'open' }> => event.event === 'open' && event.method === 'IOStream',
    )
    return opened.call
  }

  test.each(scenarios.filter(({ name }) => name !== 'dead'))('$name', async (scenario) => {
    const said = relayed(scenario, 'agent->server')
    const target = createServer((request, response) => {
      request.resume()
      request.on('end', () => {
        response.sendDate = false
        response.end(`hello ${request.url}`)
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => target.once('listening', resolve))
    const call = await stream(`127.0.0.1:${(target.address() as AddressInfo).port}`)
    call.respond()
    const toTarget = relayed(scenario, 'server->agent')
    expect(toTarget).not.toBe('')
    let got = ''
    const take = async () => {
      const message = await server.take(
        (event): event is Extract<AgentEvent, { event: 'message' }> => event.event === 'message' && event.call === call,
      )
      got += Buffer.from(IOStreamData.decode(message.bytes).data).toString('latin1')
    }
    await take()
    expect(parseAttachFrame(Buffer.from(got, 'latin1'))).toBe('9298b379-35b6-2589-faa6-f3f0bac4adc9')
    got = ''
    call.send(IOStreamData.encode({ data: Buffer.from(toTarget, 'latin1') }).finish())
    const bodies = [...said.matchAll(/hello \S+?(?=HTTP|$)/g)].map(([body]) => body)
    while (!bodies.every((body) => got.includes(body))) await take()
    expect(got).not.toContain('EOF')
    target.close()
    target.closeAllConnections()
  })
})
