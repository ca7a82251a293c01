import { terminalProtocol } from '@qd/protocol/stream-close'
import { parseAttachFrame } from '@qd/protocol/stream-frames'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { isMessage, loadFixture, loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openShell, type Shell } from '../support/shells.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let browser: Browser
let agent: SimulatedAgent
beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  browser = await world.login()
  agent = await world.agent()
})
afterAll(() => world.close())

const open = (ours = false) => openShell(world, { browser, serverId: 1, agent, ours })
const dataOf = ({ decoded }: Recorded) => Buffer.from((decoded as { data?: string }).data ?? '', 'hex')

/** The user's end sends what the recorded server sent to the agent, and gets what the recorded agent sent. */
async function relay({ socket, agent: shell }: Shell, toAgent: boolean, bytes: Buffer): Promise<void> {
  if (toAgent) {
    socket.send(bytes)
    expect(await shell.input()).toEqual(bytes)
  } else {
    shell.print(bytes)
    if (bytes.length > 0) expect(await socket.take(({ event }) => event === 'data')).toMatchObject({ bytes })
  }
}

describe('terminal', () => {
  test.each(['resize-input-exit', 'closed-by-user', 'idle-keepalive'])('%s', async (name) => {
    const { messages } = loadScenario('terminal', name)
    // The task, the call and its attach frame are the agent's part of opening a shell.
    const [, , attach, ...lines] = messages
    expect(parseAttachFrame(dataOf(attach!))).toMatch(/^[0-9a-f-]{36}$/)
    const shell = await open()
    expect(shell.id).toMatch(/^[0-9a-f-]{36}$/)
    for (const line of lines) {
      const toAgent = line.dir === 'server->agent'
      if (line.event === 'half-close') await shell.agent.exit()
      else if (line.event === 'trailers') {
        shell.socket.leave()
        expect(await shell.agent.ended()).toMatchObject({ event: 'trailers', status: line.status })
      } else if (isMessage(line) && toAgent && dataOf(line).length === 0) {
        await clock.advance(30_000)
        expect(await shell.agent.call.take(({ event }) => event === 'message')).toMatchObject({ hex: '' })
      } else if (isMessage(line)) await relay(shell, toAgent, dataOf(line))
    }
    await vi.waitFor(
      () => clock.advance(100).then(() => expect(world.server.container.streams.count()).toBe(0)),
      30_000,
    )
    expect((await shell.socket.closed()).code).toBe(name === 'closed-by-user' ? 1005 : 1006)
  })
})

describe('framing', () => {
  interface Unit {
    stream: string
    name: string
    dir: 'agent->user' | 'user->agent'
    hex: string
  }
  const { units } = loadFixture<{ units: Unit[] }>('framing')

  test.each([true, false])('every unit of a terminal is relayed byte for byte (ours: %s)', async (ours) => {
    const [attach, ...rest] = units.filter(({ stream }) => stream === 'terminal')
    expect(attach!.name).toBe('attach')
    const shell = await open(ours)
    expect(shell.socket.ws.protocol).toBe(ours ? terminalProtocol : '')
    for (const { dir, hex } of rest) await relay(shell, dir === 'user->agent', Buffer.from(hex, 'hex'))
    shell.socket.leave()
    await shell.agent.ended()
  })
})
