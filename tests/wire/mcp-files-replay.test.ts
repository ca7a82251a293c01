import { taskType } from '@qd/protocol/task-types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { loadFixture, loadScenario } from '../support/peers/agent-fixtures.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { toShellPeer } from '../support/shells.ts'
import { createWorld, type World } from '../support/world.ts'

let world: World
let root: Browser
let agent: SimulatedAgent
let server: number
beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  agent = await world.agent()
  const { settings, servers } = world.server.container
  server = servers.all()[0]!.id
  await settings.put({ ...settings.get(), enable_mcp: true })
})
afterAll(() => world.close())

interface Answer {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: unknown
}

/** Calls a tool as a program of its own: each has only so many calls a second. */
async function call(tool: string, args: object): Promise<Answer> {
  const { token } = await createScript(world, root, { scopes: ['nezha:*'] })
  const { body } = await createBrowser(world.origin).send('POST', '/mcp', {
    bare: true,
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: tool, arguments: { server_id: server, ...args } },
    },
    headers: { Authorization: `Bearer ${token}` },
  })
  return (body as { result: Answer }).result
}

const tools: Readonly<Record<string, string>> = { 16: 'fs.list', 17: 'fs.read', 18: 'fs.write', 19: 'fs.delete' }

describe('tasks 16 to 19, recorded with the existing server', () => {
  const scenarios = loadFixture('exec-fs-transfer').scenarios.filter(({ name }) => name.startsWith('fs-'))
  test.each(scenarios)('$name', async ({ messages }) => {
    const [asked, told] = messages.map(({ decoded }) => decoded as { type: string; data: string; successful?: boolean })
    const args = JSON.parse(asked!.data) as Record<string, unknown>
    const answering = call(tools[asked!.type]!, args)
    const task = await agent.nextTask()
    expect(String(task.type)).toBe(asked!.type)
    expect(JSON.parse(task.data)).toMatchObject(args)
    agent.answer(task, { data: told!.data, successful: told!.successful === true })
    const { error, ...rest } = JSON.parse(told!.data) as { error?: string }
    const { isError, content, structuredContent } = await answering
    if (error !== undefined) expect([isError, content[0]!.text]).toEqual([true, error])
    else expect(structuredContent).toEqual(rest)
  })
})

describe('task 20, recorded with the existing server', () => {
  /** What was asked for, and the bytes of the agent's stream after its first, which attaches it. */
  const recorded = (name: string) => {
    const { messages } = loadScenario('exec-fs-transfer', name)
    const { stream_id: _, ...request } = JSON.parse(String(messages[0]!.decoded!.data)) as Record<string, unknown>
    const told = messages.filter(({ method, dir, hex }) => method === 'IOStream' && dir === 'agent->server' && hex)
    return { request, told: told.slice(1).map(({ decoded }) => Buffer.from(String(decoded!.data), 'hex')) }
  }
  /** Takes the task of a transfer; returns what it asks for and the agent's end of its stream. */
  async function taken() {
    const task = await agent.nextTask()
    const { stream_id, ...request } = JSON.parse(task.data) as Record<string, unknown>
    return { request, type: task.type, peer: toShellPeer(agent.attach(task)), id: stream_id }
  }
  const addressOf = async (tool: string, path: unknown) =>
    String(((await call(tool, { path })).structuredContent as { url: string }).url)

  test.each([
    ['download-small', 200, 'hello file\n'],
    ['download-missing', 502, 'file or directory does not exist'],
  ])('%s', async (name, status, text) => {
    const { request, told } = recorded(name)
    const answering = fetch(await addressOf('fs.download_url', request.path))
    const asked = await taken()
    expect([asked.type, asked.request]).toEqual([taskType.transferFile, request])
    for (const bytes of told) asked.peer.print(bytes)
    asked.peer.call.halfClose()
    const answer = await answering
    expect([answer.status, await answer.text()]).toEqual([status, text])
    await expect.poll(() => world.server.container.streams.count()).toBe(0)
  })

  test('upload', async () => {
    const { request, told } = recorded('upload')
    const answering = fetch(await addressOf('fs.upload_url', request.path), { method: 'POST', body: 'hello world' })
    const asked = await taken()
    expect(asked.request).toMatchObject(request)
    asked.peer.print(told[0]!)
    expect(await asked.peer.input()).toEqual(Buffer.from('hello world'))
    asked.peer.print(told[1]!)
    asked.peer.call.halfClose()
    expect(await (await answering).json()).toEqual({ size: 11, sha256: told[1]!.subarray(12).toString('hex') })
    await expect.poll(() => world.server.container.streams.count()).toBe(0)
  })
})
