import type { Agent } from '@qd/agent/agent'
import { Task } from '@qd/protocol/agent'
import { toInputFrame, toResizeFrame } from '@qd/protocol/stream-frames'
import { taskType } from '@qd/protocol/task-types'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isMessage, loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { isAlive } from './processes.ts'
import { askForTerminal, type Shell, takeShell, useBash } from './shell.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

let server: RawServer
let agent: Agent | undefined
let tasks: ServerCall
let shells: ReturnType<typeof useBash>

const connect = async (options: Parameters<typeof startTestAgent>[1] = {}) => {
  server = await startRawServer(answerCalls())
  agent = startTestAgent(server, options)
  tasks = await takeTaskCall(server)
  tasks.respond()
}
const openShell = async (): Promise<Shell> => {
  askForTerminal(tasks)
  return takeShell(server)
}
const takePid = async (shell: Shell, name = 'pid'): Promise<number> => {
  const pattern = new RegExp(`${name}=(\\d+)`)
  await shell.see(pattern)
  return Number(pattern.exec(shell.text())![1])
}
/** The text without the terminal's own sequences, which differ between versions of the shell. */
const plain = (text: string) => text.replace(/\x1b\[[?\d;]*[a-zA-Z]|\r/g, '')

beforeEach(() => {
  shells = useBash()
})
afterEach(async () => {
  await agent?.stop()
  await server.close()
  shells.restore()
})

/** Plays a recorded terminal from its attach on; chunks of output may be cut elsewhere. */
const replay = async (messages: Recorded[]): Promise<Shell> => {
  const shell = await openShell()
  let seen = 0
  for (const line of messages.slice(3)) {
    if (line.dir === 'server->agent') {
      if (isMessage(line)) shell.call.send(line.hex!)
      else if (line.event === 'trailers') shell.call.end(line.status!)
      continue
    }
    if (line.event === 'half-close' || (line.event === 'rst-stream' && line.code !== 0)) await shell.ended(line.event)
    const recorded = (line.decoded as { text?: string } | undefined)?.text
    // Existing agents end with the text of a read error; ours does not (docs/reference/agent-extensions.md).
    if (!recorded || recorded.startsWith('read /dev/ptmx')) continue
    const wanted = plain(recorded.replace('/usr/bin/bash', shells.bash))
    await expect.poll(() => plain(shell.text()).indexOf(wanted, seen)).toBeGreaterThanOrEqual(0)
    seen = plain(shell.text()).indexOf(wanted, seen) + wanted.length
  }
  expect(shell.text()).not.toContain('input/output error')
  return shell
}

test('the recorded terminal: sizes, input, what is ignored, and the end of the shell', async () => {
  await connect({ timing: { firstSizeMs: 20 } })
  await replay(loadScenario('terminal', 'resize-input-exit').messages)
})

test('a terminal closed by the user as recorded: the shell and its foreground job are gone (W-01)', async () => {
  await connect({ timing: { firstSizeMs: 20 } })
  const { messages } = loadScenario('terminal', 'closed-by-user')
  const shell = await openShell()
  shell.type('echo pid=$$; sh -c \'trap "" HUP; echo job=$$; while :; do sleep 0.1; done\'\r')
  const pids = [await takePid(shell), await takePid(shell, 'job')]
  expect(pids.map(isAlive)).toEqual([true, true])
  shell.call.end(messages.find(({ event }) => event === 'trailers')!.status!)
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
})

test('an idle terminal as recorded: empty messages both ways, input without an opcode is ignored', async () => {
  await connect({ timing: { firstSizeMs: 20, streamKeepaliveMs: 50 } })
  await replay(loadScenario('terminal', 'idle-keepalive').messages)
})

test('the first prompt already has the size that was sent', async () => {
  await connect({ timing: { firstSizeMs: 60_000 } })
  const shell = await openShell()
  shell.send(toResizeFrame({ cols: 131, rows: 43 }))
  shell.type('stty size\r')
  await shell.see(/^43 131\r$/m)
})

test('Ctrl+C ends the job, Ctrl+W and Ctrl+K reach the shell', async () => {
  await connect()
  const shell = await openShell()
  shell.send(toResizeFrame({ cols: 80, rows: 24 }))
  shell.type('yes\r')
  await shell.see(/^y\r$/m)
  shell.type('\x03')
  shell.type('echo gone words\x17after\x01\x0becho ctrl-k\r')
  await shell.see(/^ctrl-k\r$/m)
  expect(shell.text()).not.toMatch(/^gone/m)
})

const flood = 'stty -opost; seq 1 2200000; exec printf the-very-end\r'
const expectFlood = (shell: Shell) => {
  const text = shell.text()
  expect(text.endsWith('2199999\n2200000\nthe-very-end')).toBe(true)
  expect(text.length).toBeGreaterThan(16_000_000)
  expect(shell.messages().maxBytes).toBeLessThanOrEqual(32 * 1024)
}

test('16 MB of output are complete with the last bytes', async () => {
  await connect()
  const shell = await openShell()
  shell.type(flood)
  await shell.ended('half-close', 30_000)
  expectFlood(shell)
})

test('a slow reader holds its own shell back and nobody else’s, and loses nothing', async () => {
  await connect()
  const slow = await openShell()
  slow.type('echo pid=$$\r')
  const pid = await takePid(slow)
  slow.call.pause()
  slow.type(flood)
  const other = await openShell()
  other.type(flood)
  await other.ended('half-close', 30_000)
  expectFlood(other)
  expect(isAlive(pid)).toBe(true)
  slow.call.resume()
  await slow.ended('half-close', 30_000)
  expectFlood(slow)
})

test('a shell that ends while nobody reads loses nothing', async () => {
  await connect()
  const shell = await openShell()
  shell.type('echo pid=$$\r')
  const pid = await takePid(shell)
  shell.call.pause()
  shell.type("head -c 1000000 /dev/zero | tr '\\0' x; exec printf the-very-end\r")
  await expect.poll(() => isAlive(pid)).toBe(false)
  shell.call.resume()
  await shell.ended('half-close', 30_000)
  expect(shell.text()).toMatch(/x{1000000}the-very-end$/)
})

test('a paste of 512 KiB arrives whole', async () => {
  await connect()
  const shell = await openShell()
  shell.type('stty raw -echo; echo ready; head -c 524288 | cksum; stty sane\r')
  await shell.see(/^ready/m)
  shell.send(toInputFrame('x'.repeat(524_288)))
  await shell.see(/\d+ 524288/, 20_000)
})

test('binary output passes unchanged', async () => {
  await connect()
  const shell = await openShell()
  shell.type("printf '<\\377\\000\\376>'; exit\r")
  await shell.ended('half-close')
  expect(shell.text()).toContain('<\ufffd\0\ufffd>')
})

test('a program in place of the shell gets its arguments as they are, and none other than a list of words starts anything', async () => {
  await connect()
  const ask = async (program: unknown) => {
    askForTerminal(tasks, { program })
    return takeShell(server)
  }
  const words = ['$(id)', '`id`', 'it\'s; "x"', '--help', '*']
  const shell = await ask(['/bin/sh', '-c', 'for one; do echo "<$one>"; done; exit 7', 'sh', ...words])
  await shell.ended('half-close')
  expect(plain(shell.text()).trim().split('\n')).toEqual(words.map((word) => `<${word}>`))
  for (const wrong of ['sh', [], [''], ['sh', 7], null, ['sh', 'a\0b'], Array.from({ length: 65 }, () => 'sh')]) {
    const refused = await ask(wrong)
    await refused.ended('half-close')
    expect(refused.text()).toBe('invalid program\r\n')
  }
})

test('without a shell a sentence says so and the stream ends', async () => {
  await connect()
  process.env.PATH = '/nowhere'
  const shell = await openShell()
  await shell.ended('half-close')
  expect(shell.text()).toBe('no shell found on this host (zsh, fish, bash, sh)\r\n')
})

test('a lost connection and a stopped agent leave no shell behind', async () => {
  await connect()
  const first = await openShell()
  first.type('echo pid=$$\r')
  const pid = await takePid(first)
  server.drop()
  await expect.poll(() => isAlive(pid)).toBe(false)
  tasks = await takeTaskCall(server)
  tasks.respond()
  const second = await openShell()
  second.type('echo pid=$$\r')
  const other = await takePid(second)
  await agent!.stop()
  await expect.poll(() => isAlive(other)).toBe(false)
})

test('with commands switched off nothing at all happens', async () => {
  await connect({ config: { disable_command_execute: true } })
  askForTerminal(tasks)
  tasks.send(Task.encode(Task.create({ id: 7n, type: taskType.keepalive })).finish())
  await server.take((event) => event.event === 'message' && event.method === 'RequestTask')
  expect(server.unread.filter((event) => 'method' in event && event.method === 'IOStream')).toEqual([])
})
