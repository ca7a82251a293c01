import type { Agent } from '@qd/agent/agent'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { toInputFrame, toResizeFrame } from '@qd/protocol/stream-frames'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { isAlive } from '../agent/processes.ts'
import { useBash } from '../agent/shell.ts'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { openStreamSocket, type StreamSocket } from '../support/peers/stream-socket.ts'
import { askForShell } from '../support/shells.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

let world: World
let browser: Browser
let agent: Agent
let shells: ReturnType<typeof useBash>
let serverId: number
beforeAll(async () => {
  shells = useBash()
  world = await createWorld()
  browser = await world.login()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  const { container } = world.server
  await vi.waitFor(() => expect(container.agents.connected(container.servers.all()[0]!.id)).toBe(true), 30_000)
  serverId = container.servers.all()[0]!.id
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  shells.restore()
})
afterEach(() => vi.waitFor(() => expect(world.server.container.streams.count()).toBe(0), 30_000))

/** A console's end of a shell: it says its size at once. */
async function open(size = { cols: 101, rows: 33 }): Promise<{ id: string; socket: StreamSocket }> {
  const id = await askForShell(browser, serverId)
  const socket = await openStreamSocket(world, id, { browser, protocols: [terminalProtocol] })
  socket.send(toResizeFrame(size))
  await socket.until('$ ')
  return { id, socket }
}

/** Types a line and answers the number that the shell prints for it, as `<n>`. */
async function ask(socket: StreamSocket, line: string): Promise<string> {
  socket.send(`${line}\r`)
  return shownIn(await socket.until('>\r\n'))
}
const shownIn = (output: string) => output.slice(output.lastIndexOf('<') + 1, output.lastIndexOf('>'))

test('the shell has the size of the page at its first prompt, and the last one after a storm of resizes', async () => {
  const { socket } = await open()
  expect(await ask(socket, 'echo "<$(stty size)>"')).toBe('33 101')
  for (let cols = 2; cols <= 1000; cols += 1) socket.send(toResizeFrame({ cols, rows: 2 + (cols % 100) }))
  socket.send(toResizeFrame({ cols: 77, rows: 22 }))
  expect(await ask(socket, 'echo "<$(stty size)>"')).toBe('22 77')
  socket.leave()
})

test('when its user leaves, the shell and its job are gone', async () => {
  const { socket } = await open()
  const pid = Number(await ask(socket, 'sleep 1000 & echo "<$!>"'))
  expect(isAlive(pid)).toBe(true)
  socket.leave()
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 30_000)
})

test('W-11 a lost connection comes back to the same shell, with what it printed meanwhile', async () => {
  const { id, socket } = await open()
  const pid = await ask(socket, 'echo "<$$>"')
  socket.send('sleep 0.3; echo m"i"ssed\r')
  await socket.until('ssed\r\n')
  socket.lose()
  const again = await openStreamSocket(world, id, { browser, protocols: [terminalProtocol] })
  await again.until('missed\r\n')
  expect(await ask(again, 'echo "<$$>"')).toBe(pid)
  again.leave()
})

test('W-04 Ctrl+C ends a flood of output within a second', async () => {
  const { socket } = await open()
  socket.send('yes\r')
  for (let frames = 0; frames < 200; frames += 1) await socket.take(({ event }) => event === 'data')
  const at = performance.now()
  socket.send(toInputFrame(Uint8Array.of(3)))
  await socket.until('^C')
  // A second where nothing else is busy; without it the flood of what was sent already takes minutes.
  expect(performance.now() - at).toBeLessThan(5000)
  expect(await ask(socket, 'echo "<$(( 6 * 7 ))>"')).toBe('42')
  socket.leave()
})

test('a paste of 512 KiB arrives whole while its echo flows back', async () => {
  const { socket } = await open()
  socket.send('stty -icanon; head -c 524288 | cksum | sed "s/.*/<&>/"; stty icanon\r')
  socket.send(toInputFrame(`${'x'.repeat(63)}\n`.repeat(8192)))
  expect(shownIn(await socket.until('>\r\n'))).toBe('2943433786 524288')
  socket.leave()
})

test('the end of the shell is told, and so is a lost agent', async () => {
  const { socket } = await open()
  socket.send('exit\r')
  expect(await socket.closed()).toEqual({ code: 4000, reason: 'ended 0' })
  const other = await open()
  await agent.stop()
  expect(await other.socket.closed()).toEqual({ code: 4001, reason: 'agent-gone' })
})
