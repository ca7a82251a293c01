import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, type ScreenOptions, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen
const home = mkdtempSync(join(tmpdir(), 'qd-burst-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
})
afterEach(() => screen?.close())
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

const start = async (options: Partial<ScreenOptions> = {}) => {
  screen = startScreen({ qd: programs.qd, url: fleet.world.origin, home, ...options })
  await screen.shows('live')
  await screen.shows('web-1')
}
const get = async (path: string) => (await fleet.world.login()).api('GET', path) as Promise<unknown>
/** A way to the server on which new connections can be made to wait, as at a server that stands still. */
async function createWay(port: number) {
  let stands = false
  const waiting: (() => void)[] = []
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const go = () => {
      const far = connect(port, '127.0.0.1')
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(socket)
        socket.on('error', () => other.destroy())
        socket.on('close', () => other.destroy())
        socket.pipe(other)
      }
    }
    near.on('error', () => undefined)
    if (stands) waiting.push(go)
    else go()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    waits: () => waiting.length,
    stand() {
      stands = true
    },
    goOn() {
      stands = false
      for (const go of waiting.splice(0)) go()
    },
    async close() {
      for (const socket of open) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

const ctrl = { o: '\u000f', s: '\u0013' } as const

test('issue 36.23 Ctrl+S in one burst with the key that opens the editor starts nothing behind it', async () => {
  const [editor, done] = [join(home, 'editor.sh'), join(home, 'done')]
  writeFileSync(
    editor,
    `#!/bin/sh\nprintf '\\033[2J\\033[Hthe editor'\nuntil [ -e ${done} ]; do sleep 0.1; done\nexit 1\n`,
    { mode: 0o755 },
  )
  await start({ env: { EDITOR: editor } })
  await screen.press('r')
  await screen.shows(/db-1 › Run/)
  await screen.press(...'uptime')
  await screen.shows(/uptime▁/)
  screen.send(`${ctrl.o}${ctrl.s}`)
  await screen.shows((rows) => rows[0] === 'the editor')
  writeFileSync(done, '')
  await screen.shows(/uptime▁/)
  // One more key that is seen: had the other been kept, it would have come before it.
  await screen.press('x')
  await screen.shows(/uptimex▁/)
  expect(await get('run')).toMatchObject({ all: 0 })
})

test('issue 36.23 what is typed behind the key of a form goes into that form, and is saved there', async () => {
  await start()
  await screen.press('g', 't')
  await screen.shows(/▌ +restart-workers/)
  screen.send(`e-burst${ctrl.s}`)
  await screen.shows('Saved restart-workers-burst')
  expect(await get('cron')).toContainEqual(expect.objectContaining({ name: 'restart-workers-burst' }))
  screen.send('Dy')
  await screen.shows((rows) => !rows.some((row) => row.includes('restart')) && /Tasks {2}1/.test(rows[0]!))
})

test('issue 36.25 ninety keys in one burst are one frame', async () => {
  await start({ columns: 160 })
  await screen.press('/')
  await screen.shows('/▁')
  const from = screen.written().length
  const text = 'abcdefghi '.repeat(9).trim()
  screen.send(text)
  await screen.shows(`/${text}▁`)
  expect(screen.written().slice(from)).toContain(text)
})

test('issue 36.23 Escape gives up a form that does not come, and the keys typed for it', async () => {
  const way = await createWay(Number(new URL(fleet.world.origin).port))
  try {
    await start({ url: way.origin })
    await screen.press('g', 'c')
    await screen.shows(/▌ +web/)
    way.stand()
    screen.send('eDy')
    await screen.shows(/Loading… {2}esc cancel/)
    expect(way.waits()).toBeGreaterThan(0)
    await screen.press('Escape')
    await screen.press('/', ...'we')
    await screen.shows('/we▁')
    way.goOn()
    await screen.press('Enter', '?')
    await screen.shows('Shortcuts › Server groups')
    expect(await get('server-group')).toHaveLength(1)
  } finally {
    await way.close()
  }
})

test('issue 36.24 q at the first list asks while a request is in progress', async () => {
  const way = await createWay(Number(new URL(fleet.world.origin).port))
  try {
    await start({ url: way.origin })
    way.stand()
    await screen.press('R')
    await vi.waitFor(() => expect(way.waits()).toBeGreaterThan(0), 30_000)
    await screen.press('q')
    await screen.shows('A request or transfer is still in progress')
    way.goOn()
    await screen.press('y')
    expect((await screen.ended).code).toBe(0)
  } finally {
    await way.close()
  }
})
