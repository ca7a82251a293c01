import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { useBash } from '../agent/shell.ts'
import { startTestAgent } from '../agent/world.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let world: World
let agent: Agent
let shells: ReturnType<typeof useBash>
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-shell-'))

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  shells = useBash()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
})
afterEach(() => screen?.close())
afterAll(async () => {
  await agent?.stop()
  shells?.restore()
  await world?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

/** The list with this machine in it, then its shell. */
const openShell = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home, ...options })
  await screen.shows(/▌ [●▲] \w/)
  await screen.press('t')
  await screen.shows(/Shell on .*\. Enter ~ \. to leave/)
  await screen.shows((rows) => !screen.isAlternate() && rows.some((row) => /[$#] ?$/.test(row)))
}
/** A way to the server that can be cut like a cable. */
async function createNetwork(port: number): Promise<{ origin: string; cut(): void; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    async close() {
      proxy.close()
      cut()
      await once(proxy, 'close')
    },
  }
}

const run = async (command: string, answer: string | RegExp) => {
  screen.send(`${command}\r`)
  await screen.shows(answer)
}

test('T-27 t hands the terminal to the shell: true size first, then every change of it', async () => {
  await openShell({ columns: 91, rows: 27 })
  await run('stty size', '27 91')
  screen.resize(100, 30)
  await screen.shows(() => true)
  await run('until [ "$(stty size)" = "30 100" ]; do sleep 0.1; done; echo now $(stty size)', 'now 30 100')
})

test('T-27 all bytes reach the shell: Ctrl+C, Ctrl+Z, mouse, and what is not UTF-8', async () => {
  await openShell()
  await run('sleep 1000; echo after', 'sleep 1000')
  screen.send('\u0003')
  await run('echo alive-$((40+2))', 'alive-42')
  await run('sleep 2000', /sleep 2000/)
  screen.send('\u001a')
  await screen.shows(/Stopped/)
  await run('kill %1; clear; stty raw -echo; head -c 13 | od -An -c; stty sane', /#? ?$/m)
  await screen.shows(() => screen.written().includes('\u001b[H'))
  screen.send(Buffer.from('\u001b[<0;5;5Mq\u0000\u001b\u00ff', 'latin1'))
  await screen.shows(/033 +\[ +< +0 +; +5 +; +5 +M +q +\\0 +033 +377/)
})

test('T-27 Enter ~ . leaves, and the screen is drawn again where it was', async () => {
  await openShell()
  await run('echo in the shell', /^in the shell$/m)
  screen.send('\r~.')
  await screen.shows(/Left the shell on/)
  expect(screen.isAlternate()).toBe(true)
  expect(screen.rows()[0]).toMatch(/^ qd {2}Servers {2}1/)
  await screen.press('?')
  await screen.shows((rows) => rows.some((row) => row.includes('Shortcuts › Servers')))
  await screen.press('/', ...'leaves')
  await screen.shows('Enter ~ . leaves it, ~ ~ sends a literal ~')
})

test('issue 36.23 what is typed behind t goes to the shell, not to the list', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home })
  await screen.shows('live')
  await screen.shows(/▌ [●▲] \w/)
  screen.send('techo burst-$((40 + 2))\r')
  await screen.shows(/^burst-42$/m)
  expect(screen.isAlternate()).toBe(false)
})

test('T-27 the end of the shell leads back, and says so', async () => {
  await openShell()
  screen.send('exit\r')
  await screen.shows('The shell exited.')
  expect(screen.isAlternate()).toBe(true)
  await screen.press('t')
  await screen.shows((rows) => !screen.isAlternate() && rows.some((row) => /[$#] ?$/.test(row)))
})

test('T-06 T-27 SIGTERM in the middle of a shell ends what it left on and the shell itself', async () => {
  await openShell()
  await run("printf '\\033[?1000h\\033[?1049h'; echo ready", /^ready/m)
  screen.kill('SIGTERM')
  expect((await screen.ended).code).toBe(143)
  const written = screen.written()
  expect(written.lastIndexOf('\u001b[?1000l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1000h'))
  expect(written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1049h'))
})

test('W-11 T-27 a lost network is said, and the same shell goes on when it is back', async () => {
  const network = await createNetwork(world.port)
  try {
    await openShell({ url: network.origin })
    await run('kept=yes; echo ready', /^ready$/m)
    network.cut()
    await screen.shows(/connection lost .*reconnecting; Enter ~ \. to leave/)
    await screen.shows(/reattached to the same shell/)
    await run('echo it is $kept', 'it is yes')
    screen.send('exit\r')
    await screen.shows('The shell exited.')
  } finally {
    await screen.close()
    await network.close()
  }
})

test('T-26 T-27 a read-only terminal UI opens no shell', async () => {
  screen = startScreen({ qd: programs.qd, url: world.origin, home, args: ['--read-only'] })
  await screen.shows(/▌ [●▲] \w/)
  await screen.press('t')
  await screen.shows('Open shell: qd was started with --read-only')
})
