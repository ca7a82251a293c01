import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openShell } from '../support/shells.ts'
import type { SimulatedAgent } from '../support/simulated-agent.ts'
import { createWorld, type World } from '../support/world.ts'

let clock: FakeClock
let world: World
let browser: Browser
let agent: SimulatedAgent
const serverId = 1
const open = (ours: boolean) => openShell(world, { browser, serverId, agent, ours })
const streams = () => world.server.services.streams

beforeAll(async () => {
  clock = createFakeClock()
  world = await createWorld({ clock })
  browser = await world.login()
  agent = await world.agent()
})
afterAll(() => world.close())

describe('a shell over the relay', () => {
  test('bytes go both ways as they are, text as input, empty messages not at all', async () => {
    const { socket, agent: shell } = await open(false)
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    shell.print(all)
    shell.print('')
    shell.print('$ ')
    expect(await socket.next()).toMatchObject({ bytes: all, isBinary: true })
    expect(await socket.next()).toMatchObject({ bytes: Buffer.from('$ ') })
    socket.send('é\r')
    socket.send(Buffer.alloc(0))
    socket.send(all)
    socket.send('')
    const inputs = [await shell.input(), await shell.input(), await shell.input()]
    expect(inputs).toEqual([Buffer.from('\0é\r'), all, Buffer.of(0)])
    socket.leave()
    expect(await socket.closed()).toMatchObject({ code: 1005 })
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(streams().count()).toBe(0)
  })

  test.each([
    [true, { code: 4000, reason: 'ended' }],
    [false, { code: 1006, reason: '' }],
  ] as const)('the end of the shell reaches the user after its last output (ours: %s)', async (ours, end) => {
    const { socket, agent: shell } = await open(ours)
    for (let line = 0; line < 50; line += 1) shell.print(`line ${line}\n`)
    shell.print('bye\n')
    await shell.exit()
    const output = await socket.until('bye\n')
    expect(output).toContain('line 49')
    await clock.advance(100)
    expect(await socket.closed()).toEqual(end)
    expect(streams().count()).toBe(0)
  })
})
