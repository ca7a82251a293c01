import { execFileSync } from 'node:child_process'
import { container } from '@qd/core/resources'
import { Task } from '@qd/protocol/agent'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { toResizeFrame } from '@qd/protocol/stream-frames'
import { agentNews } from '@qd/protocol/task-types'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import type { FakeClock } from '../support/fake-clock.ts'
import type { SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { createShellWorld, type ShellWorld } from '../support/shell-world.ts'
import { askForShell, attachAgent, openShell, toShellPeer } from '../support/shells.ts'
import { createWorld, type World } from '../support/world.ts'

let open: ShellWorld['open']
let clock: FakeClock
let world: World
let browser: Browser
let agent: SimulatedAgent
const serverId = 1
const ours = [terminalProtocol]
const count = () => world.server.container.streams.count()
/** A shell that ends is over when it is clear that its agent stays. */
const noneLeft = () => vi.waitFor(() => clock.advance(100).then(() => expect(count()).toBe(0)), 30_000)

beforeAll(async () => {
  ;({ open, clock, world, browser, agent } = await createShellWorld())
})
afterAll(() => world.close())

describe('what is relayed', () => {
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
    expect(count()).toBe(0)
  })

  test('a shell in a container: our agent gets the program, an existing one has it typed into its shell, after the size', async () => {
    const inside = { kind: 'container', name: "docker/it's $(id)" }
    const other = await world.agent()
    const { id: server_id } = world.server.container.servers.byUuid(other.uuid)!
    const open = async () => {
      const { session_id } = (await browser.api('POST', 'terminal', { server_id, inside })) as { session_id: string }
      const task = await other.nextTask()
      const shell = toShellPeer(other.attach(task))
      const socket = await openStreamSocket(world, session_id, { browser })
      const size = toResizeFrame({ cols: 90, rows: 30 })
      socket.send(size)
      socket.send('ls\r')
      expect(await shell.input()).toEqual(Buffer.from(size))
      return { program: (JSON.parse(task.data) as { program?: string[] }).program, shell, socket }
    }
    const typed = await open()
    expect(typed.program).toBeUndefined()
    const line = String(await typed.shell.input())
    expect(line).toMatch(/^\0exec docker exec -it -- .*\r$/)
    const args = execFileSync('sh', ['-c', `docker() { printf '%s\\n' "$@"; }\n${line.slice(6)}`], { encoding: 'utf8' })
    expect(args.split('\n').slice(0, 5)).toEqual(['exec', '-it', '--', "it's $(id)", 'sh'])
    expect(String(await typed.shell.input())).toBe('\0ls\r')
    typed.socket.leave()
    await typed.shell.ended()
    other.answer(Task.create({ id: 0n, type: agentNews.collectors }), { data: '["containers"]', successful: false })
    const { hostReadings } = world.server.container
    await vi.waitUntil(() => hostReadings.collects({ name: 'container', host: container.host! }, server_id))
    const started = await open()
    expect(started.program?.slice(0, 6)).toEqual(['docker', 'exec', '-it', '--', "it's $(id)", 'sh'])
    expect(String(await started.shell.input())).toBe('\0ls\r')
    started.socket.leave()
    await started.shell.ended()
    await other.close()
  })

  test('what the shell prints before its user is there waits for him', async () => {
    const id = await askForShell(browser, serverId)
    const shell = await attachAgent(agent, id)
    shell.print('motd\n')
    shell.print('$ ')
    const socket = await openStreamSocket(world, id, { browser })
    expect(await socket.until('$ ')).toBe('motd\n$ ')
    socket.leave()
    await shell.ended()
  })

  test('what the user types before the agent is there waits for it', async () => {
    const id = await askForShell(browser, serverId)
    const socket = await openStreamSocket(world, id, { browser, protocols: ours })
    socket.send('early')
    const shell = await attachAgent(agent, id)
    expect(await shell.input()).toEqual(Buffer.from('\0early'))
    socket.leave()
    await shell.ended()
  })

  test('a message above 1 MiB comes in pieces of at most that', async () => {
    const { socket, agent: shell } = await open(true)
    shell.print(Buffer.alloc(1024 * 1024 + 1, 'x'))
    const sizes = [await socket.next(), await socket.next()].map((event) => 'bytes' in event && event.bytes.length)
    expect(sizes).toEqual([1024 * 1024, 1])
    socket.leave()
    await shell.ended()
  })

  test('idle: a ping to the user every 10 s, an empty message to the agent every 30 s', async () => {
    const { socket, agent: shell } = await open(true)
    for (let tens = 0; tens < 3; tens += 1) {
      await clock.advance(10_000)
      expect(await socket.next()).toEqual({ event: 'ping' })
    }
    expect(await shell.call.take(({ event }) => event === 'message')).toMatchObject({ hex: '' })
    socket.leave()
    await shell.ended()
  })
})

describe('how it ends', () => {
  test.each([
    [true, { code: 4000, reason: 'ended' }],
    [false, { code: 1006, reason: '' }],
  ])('the shell exits: told after its last output (ours: %s)', async (isOurs, end) => {
    const { socket, agent: shell } = await open(isOurs)
    for (let line = 0; line < 50; line += 1) shell.print(`line ${line}\n`)
    shell.print('bye\n')
    await shell.exit()
    expect(await socket.until('bye\n')).toContain('line 49')
    await noneLeft()
    expect(await socket.closed()).toEqual(end)
  })

  test('a call that is only cut while its agent stays is the end of a shell', async () => {
    const { socket, agent: shell } = await open(true)
    shell.call.reset(8)
    await noneLeft()
    expect(await socket.closed()).toEqual({ code: 4000, reason: 'ended' })
  })

  test.each([
    [true, { code: 4001, reason: 'agent-gone' }],
    [false, { code: 1006, reason: '' }],
  ])('the agent is lost in mid-shell (ours: %s)', async (isOurs, end) => {
    const other = await world.agent()
    const { id } = world.server.container.servers.byUuid(other.uuid)!
    const { socket } = await openShell(world, { browser, serverId: id, agent: other, ours: isOurs })
    other.vanish()
    expect(await socket.closed()).toEqual(end)
    expect(count()).toBe(0)
  })

  test('who comes just when the shell has ended is told so', async () => {
    const { id, socket, agent: shell } = await open(true)
    socket.lose()
    shell.print('last words')
    await shell.exit()
    const again = await back(id)
    await noneLeft()
    expect(await again.until('last words')).toBe('last words')
    expect(await again.closed()).toEqual({ code: 4000, reason: 'ended' })
  })

  test('the agent does not attach within 10 s of its user', async () => {
    const id = await askForShell(browser, serverId)
    const task = await agent.nextTask()
    const socket = await openStreamSocket(world, id, { browser, protocols: ours })
    await clock.advance(9999)
    expect(count()).toBe(1)
    await clock.advance(1)
    expect(await socket.closed()).toEqual({ code: 4005, reason: 'no-agent' })
    const late = agent.attach(task)
    expect(await late.take(({ event }) => event === 'trailers')).toMatchObject({
      status: 2,
      text: 'stream not authorized for agent',
    })
  })

  test('nobody attaches within 30 s: the agent is let go', async () => {
    const id = await askForShell(browser, serverId)
    const shell = await attachAgent(agent, id)
    await shell.call.take(({ event }) => event === 'response-headers')
    await clock.advance(30_000)
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(count()).toBe(0)
  })

  test.each([1000, 1001])('leaving with %d ends the shell at once', async (code) => {
    const { socket, agent: shell } = await open(true)
    socket.ws.close(code)
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(count()).toBe(0)
  })

  test('a peer that answers no ping for a minute is lost', async () => {
    const { socket, agent: shell } = await open(false)
    socket.ws.pause()
    for (let tens = 0; tens < 7; tens += 1) await clock.advance(10_000)
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(count()).toBe(0)
    socket.lose()
  })

  test('opening, coming back and the end are in the audit record: who, which server, how long, why', async () => {
    const { id, socket, agent: shell } = await open(true)
    await clock.advance(5000)
    socket.lose()
    const again = await back(id)
    await clock.advance(5000)
    await shell.exit()
    await noneLeft()
    await again.closed()
    const rows = async () =>
      world.server.container.db
        .selectFrom('audit')
        .select(['username', 'action', 'target', 'names', 'result'])
        .where('action', 'like', 'terminal %')
        .orderBy('id', 'desc')
        .limit(3)
        .execute()
    const { name } = world.server.container.servers.find(1)!
    const who = { username: 'admin', names: name, result: 'ok' }
    await vi.waitFor(
      async () =>
        expect(await rows()).toEqual([
          { ...who, action: 'terminal end', target: expect.stringMatching(/^1, 1\d s, ended$/) },
          { ...who, action: 'terminal attach', target: '1' },
          { ...who, action: 'terminal open', target: '1' },
        ]),
      30_000,
    )
  })
})

test('R-07 a server that stops closes its shells as going away, whoever speaks which protocol', async () => {
  const other = await createWorld()
  const admin = await other.login()
  const host = await other.agent()
  const parts = { browser: admin, serverId: 1, agent: host }
  const opened = [await openShell(other, { ...parts, ours: true }), await openShell(other, parts)]
  const begun = performance.now()
  await other.close()
  expect(performance.now() - begun).toBeLessThan(5000)
  for (const { socket } of opened) expect(await socket.closed()).toMatchObject({ code: 1001 })
})

/** Attaches again, when the server has noticed that the connection was lost. */
async function back(id: string, from?: number) {
  const admin = { id: 1, username: 'admin', role: 0, scopes: null }
  await vi.waitFor(
    async () => expect(await world.server.container.streams.find(id, 'terminal', admin)!.admit(false)).not.toBeNull(),
    30_000,
  )
  return openStreamSocket(world, id, { browser, protocols: ours, ...(from !== undefined && { from }) })
}

describe('W-11 coming back within 60 s', () => {
  test('to the same shell, with what was missed', async () => {
    const { id, socket, agent: shell } = await open(true)
    shell.print('seen\n')
    await socket.until('seen\n')
    socket.lose()
    shell.print('missed\n')
    const again = await back(id, 'seen\n'.length)
    shell.print('now\n')
    expect(await again.until('now\n')).toBe('missed\nnow\n')
    again.send('x')
    expect(await shell.input()).toEqual(Buffer.from('\0x'))
    again.leave()
    await shell.ended()
  })

  test('who does not say what he has had gets all that is kept, and that is the last 256 KiB from a line on', async () => {
    const { id, socket, agent: shell } = await open(true)
    socket.lose()
    const line = `${'x'.repeat(1023)}\n`
    for (let lines = 0; lines < 1000; lines += 1) shell.print(line)
    shell.print('mark\n')
    const first = await back(id)
    await first.until('mark\n')
    first.lose()
    const again = await back(id)
    shell.print('end\n')
    expect((await again.until('end\n')) === `${line.repeat(255)}mark\nend\n`).toBe(true)
    again.leave()
    await shell.ended()
  })

  test('and no later', async () => {
    const { id, socket, agent: shell } = await open(true)
    socket.lose()
    await vi.waitFor(async () => {
      await clock.advance(60_000)
      expect(count()).toBe(0)
    }, 30_000)
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    const late = await openStreamSocket(world, id, { browser, protocols: ours })
    expect(await late.closed()).toEqual({ code: 4004, reason: 'unknown' })
  })

  test('not for clients without our subprotocol: their shell ends with the connection', async () => {
    const { socket, agent: shell } = await open(false)
    socket.lose()
    expect(await shell.ended()).toMatchObject({ event: 'trailers', status: 0 })
    expect(count()).toBe(0)
  })

  test('an attached socket that answers is not taken over; one that does not is, and is told', async () => {
    const { id, socket, agent: shell } = await open(true)
    const refused = await openStreamSocket(world, id, { browser, protocols: ours })
    expect(await refused.closed()).toEqual({ code: 4004, reason: 'unknown' })
    await expect(openStreamSocket(world, id, { browser })).rejects.toThrow('200 {"error":"permission denied"}')
    socket.ws.pause()
    const opening = openStreamSocket(world, id, { browser, protocols: ours })
    await vi.waitFor(async () => {
      await clock.advance(2000)
      await Promise.race([opening, Promise.reject(new Error('still waiting'))])
    }, 30_000)
    socket.ws.resume()
    expect(await socket.closed()).toEqual({ code: 4006, reason: 'replaced' })
    const newer = await opening
    shell.print('$ ')
    expect(await newer.until('$ ')).toBe('$ ')
    newer.leave()
    await shell.ended()
  })
})
