import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { openSocket, RefusedUpgrade } from '../support/peers/live-socket.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { askForShell, openShell, type Shell } from '../support/shells.ts'
import { createWorld, type World } from '../support/world.ts'

interface Frame {
  dir: 'in' | 'out'
  opcode: 'text' | 'binary' | 'close'
  text?: string
  hex?: string
  code?: number
}
interface Session {
  name: string
  as: string
  frames?: Frame[]
  handshake?: { status: number; contentType: string; body: unknown }
}

const load = (file: string) =>
  JSON.parse(readFileSync(new URL(`../data/fixtures/ws/${file}.json`, import.meta.url), 'utf8')) as Session[]
const sessions = load('terminal')
const named = (name: string) => sessions.find((session) => session.name.startsWith(name))!
const handshakes = load('errors').filter(({ name }) => name.startsWith('ws/terminal'))

let world: World
let agent: SimulatedAgent
let callers: Record<string, Browser>
beforeAll(async () => {
  world = await createWorld()
  agent = await world.agent()
  callers = { guest: world.guest(), admin: await world.login(), member: (await world.member('alice')).browser }
})
afterAll(() => world.close())

const open = (as: string): Promise<Shell> => openShell(world, { browser: callers[as]!, serverId: 1, agent })
const ended = () => vi.waitFor(() => expect(world.server.container.streams.count()).toBe(0), 30_000)

/** What the agent gets of a frame: text is keyboard input, an empty binary message is none. */
function relayed({ opcode, text = '', hex = '' }: Frame): Buffer | null {
  if (opcode === 'text') return Buffer.from(`\0${text}`)
  return hex === '' ? null : Buffer.from(hex, 'hex')
}

describe('ws/terminal', () => {
  test(named('open, resize').name, async () => {
    const { as, frames = [] } = named('open, resize')
    const { socket, agent: shell } = await open(as)
    for (const frame of frames) {
      const bytes = frame.opcode === 'close' ? null : relayed(frame)
      if (frame.opcode === 'close') await shell.exit()
      else if (frame.dir === 'in') {
        shell.print(bytes!)
        expect(await socket.next()).toEqual({ event: 'data', bytes, isBinary: true })
      } else {
        socket.send(frame.opcode === 'text' ? frame.text! : Buffer.from(frame.hex!, 'hex'))
        if (bytes) expect(await shell.input()).toEqual(bytes)
      }
    }
    expect(await socket.closed()).toEqual({ code: 1006, reason: '' })
    await ended()
  })

  test(named('message of').name, async () => {
    const { as, frames } = named('message of')
    const { socket } = await open(as)
    socket.send(Buffer.alloc(524_353))
    expect(await socket.closed()).toMatchObject({ code: frames![1]!.code })
    await ended()
  })

  test(named('close started').name, async () => {
    const { as, frames } = named('close started')
    const { socket } = await open(as)
    socket.leave()
    expect(await socket.closed()).toMatchObject({ code: frames![1]!.code })
    await ended()
  })

  test('every recorded session is played', () => {
    expect(sessions).toHaveLength(3)
    expect(handshakes).toHaveLength(4)
  })
})

/** A session id as the recording had it. */
const ids: Readonly<Record<string, () => Promise<string>>> = {
  'ws/terminal: session of another user': () => askForShell(callers.admin!, 1),
  async 'ws/terminal: attach again after the end'() {
    world.server.container.streams.end(() => true, 'revoked')
    const { id, socket } = await open('admin')
    socket.leave()
    await ended()
    return id
  },
}

test.each(handshakes.map((session) => [session.name, session] as const))(
  'handshake %s',
  async (name, { as, handshake }) => {
    const id = (await ids[name]?.()) ?? '00000000-0000-0000-0000-000000000000'
    const opening = openSocket(world, { path: `/api/v1/ws/terminal/${id}`, browser: callers[as]! })
    const refusal = (await opening.catch((error: unknown) => error)) as RefusedUpgrade
    expect(refusal).toBeInstanceOf(RefusedUpgrade)
    const { status, contentType, body } = refusal
    expect({ status, contentType, body: JSON.parse(body) }).toEqual(handshake)
  },
)
