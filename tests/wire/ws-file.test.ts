import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { openSocket, RefusedUpgrade } from '../support/peers/live-socket.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { attachAgent } from '../support/shells.ts'
import { createWorld, type World } from '../support/world.ts'

interface Frame {
  dir: 'in' | 'out'
  opcode: 'text' | 'binary'
  text?: string
  hex?: string
}
interface Session {
  name: string
  as: string
  frames?: Frame[]
  handshake?: { status: number; contentType: string; body: unknown }
}

const load = (file: string) =>
  JSON.parse(readFileSync(new URL(`../data/fixtures/ws/${file}.json`, import.meta.url), 'utf8')) as Session[]
const handshakes = load('errors').filter(({ name }) => name.startsWith('ws/file'))

let world: World
let agent: SimulatedAgent
let callers: Record<string, Browser>
beforeAll(async () => {
  world = await createWorld()
  agent = await world.agent()
  callers = { admin: await world.login(), member: (await world.member('alice')).browser }
})
afterAll(() => world.close())
afterEach(() => vi.waitFor(() => expect(world.server.container.streams.count()).toBe(0), 30_000))

async function open() {
  const browser = callers.admin!
  const answer = (await browser.api('POST', 'file?id=1')) as { session_id: string; abilities: string[] }
  const id = answer.session_id
  const peer = await attachAgent(agent, id)
  const socket = await openStreamSocket(world, id, { browser, kind: 'file' })
  return { id, socket, peer, answer }
}

describe('ws/file', () => {
  test.each(load('file').map((session) => [session.name, session] as const))('%s', async (_name, { frames = [] }) => {
    const { socket, peer } = await open()
    for (const { dir, opcode, text = '', hex = '' } of frames) {
      const bytes = opcode === 'text' ? Buffer.from(`\0${text}`) : Buffer.from(hex, 'hex')
      if (dir === 'in') {
        peer.print(bytes)
        expect(await socket.next()).toEqual({ event: 'data', bytes, isBinary: true })
      } else {
        socket.send(opcode === 'text' ? text : bytes)
        if (bytes.length > 0) expect(await peer.input()).toEqual(bytes)
      }
    }
    socket.leave()
    await peer.ended()
  })

  test('S-51: a message above 1 MiB reaches the agent in pieces of at most that, one above 16 MiB ends it', async () => {
    const { socket, peer } = await open()
    const bytes = Buffer.alloc(2 * 1024 * 1024 + 1, 5)
    socket.send(bytes)
    const pieces = [await peer.input(), await peer.input(), await peer.input()]
    expect(pieces.map(({ length }) => length)).toEqual([1_048_576, 1_048_576, 1])
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
    socket.send(Buffer.alloc(16 * 1024 * 1024 + 1))
    expect(await socket.closed()).toMatchObject({ code: 1009 })
  })

  test('a terminal cannot be had by way of files, nor files by way of a terminal', async () => {
    const { id, socket } = await open()
    const path = `/api/v1/ws/terminal/${id}`
    await expect(openSocket(world, { path, browser: callers.admin! })).rejects.toBeInstanceOf(RefusedUpgrade)
    socket.leave()
  })

  test('what an agent can follows its version', async () => {
    const { answer, socket } = await open()
    expect(answer.abilities).toEqual(['details', 'read', 'delete', 'checksum'])
    socket.leave()
    const old = await world.agent({ uuid: '99999999-0000-4000-8000-000000000000', host: { version: '2.0.9' } })
    const second = (await callers.admin!.api('POST', 'file?id=2')) as typeof answer
    expect(second.abilities).toEqual([])
    const refused = await callers.admin!.send('POST', '/api/v1/file/read', { body: { server_id: 2, path: '/x' } })
    expect(refused.body.code).toBe('unsupported')
    old.vanish()
  })
})

/** A session id as the recording had it. */
const ids: Readonly<Record<string, () => Promise<string>>> = {
  async 'ws/file: session of another user'() {
    return ((await callers.admin!.api('POST', 'file?id=1')) as { session_id: string }).session_id
  },
}

test.each(handshakes.map((session) => [session.name, session] as const))(
  'handshake %s',
  async (name, { as, handshake }) => {
    const id = (await ids[name]?.()) ?? '00000000-0000-0000-0000-000000000000'
    const opening = openSocket(world, { path: `/api/v1/ws/file/${id}`, browser: callers[as]! })
    const refusal = (await opening.catch((error: unknown) => error)) as RefusedUpgrade
    expect(refusal).toBeInstanceOf(RefusedUpgrade)
    const { status, contentType, body } = refusal
    expect({ status, contentType, body: JSON.parse(body) }).toEqual(handshake)
    world.server.container.streams.end(() => true, 'left')
  },
)
