import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { onFleet } from './on-fleet.ts'

const on = onFleet(['web-1', 'web-2', 'db-1'], { shows: 'web-1' })
const get = async (path: string) => (await on.fleet.world.login()).api('GET', path) as Promise<unknown>
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
  const [editor, done] = [join(on.home, 'editor.sh'), join(on.home, 'done')]
  writeFileSync(
    editor,
    `#!/bin/sh\nprintf '\\033[2J\\033[Hthe editor'\nuntil [ -e ${done} ]; do sleep 0.1; done\nexit 1\n`,
    { mode: 0o755 },
  )
  await on.start({ env: { EDITOR: editor } })
  await on.screen.press('r')
  await on.screen.shows(/db-1 › Run/)
  await on.screen.press(...'uptime')
  await on.screen.shows(/uptime▁/)
  on.screen.send(`${ctrl.o}${ctrl.s}`)
  await on.screen.shows((rows) => rows[0] === 'the editor')
  writeFileSync(done, '')
  await on.screen.shows(/uptime▁/)
  // One more key that is seen: had the other been kept, it would have come before it.
  await on.screen.press('x')
  await on.screen.shows(/uptimex▁/)
  expect(await get('run')).toMatchObject({ all: 0 })
})

test('issue 36.23 what is typed behind the key of a form goes into that form, and is saved there', async () => {
  await on.start()
  await on.screen.press('g', 't')
  await on.screen.shows(/▌ +restart-workers/)
  on.screen.send(`e-burst${ctrl.s}`)
  await on.screen.shows('Saved restart-workers-burst')
  expect(await get('cron')).toContainEqual(expect.objectContaining({ name: 'restart-workers-burst' }))
  on.screen.send('Dy')
  await on.screen.shows((rows) => !rows.some((row) => row.includes('restart')) && /Tasks {2}1/.test(rows[0]!))
})

test('issue 36.25 ninety keys in one burst are one frame', async () => {
  await on.start({ columns: 160 })
  await on.screen.press('/')
  await on.screen.shows('/▁')
  const from = on.screen.written().length
  const text = 'abcdefghi '.repeat(9).trim()
  on.screen.send(text)
  await on.screen.shows(`/${text}▁`)
  expect(on.screen.written().slice(from)).toContain(text)
})

test('issue 36.23 Escape gives up a form that does not come, and the keys typed for it', async () => {
  const way = await createWay(Number(new URL(on.fleet.world.origin).port))
  try {
    await on.start({ url: way.origin })
    await on.screen.press('g', 'c')
    await on.screen.shows(/▌ +web/)
    way.stand()
    on.screen.send('eDy')
    await on.screen.shows(/Loading… {2}esc cancel/)
    expect(way.waits()).toBeGreaterThan(0)
    await on.screen.press('Escape')
    await on.screen.press('/', ...'we')
    await on.screen.shows('/we▁')
    way.goOn()
    await on.screen.press('Enter', '?')
    await on.screen.shows('Shortcuts › Server groups')
    expect(await get('server-group')).toHaveLength(1)
  } finally {
    await way.close()
  }
})

test('issue 36.24 q at the first list asks while a request is in progress', async () => {
  const way = await createWay(Number(new URL(on.fleet.world.origin).port))
  try {
    await on.start({ url: way.origin })
    way.stand()
    await on.screen.press('R')
    await vi.waitFor(() => expect(way.waits()).toBeGreaterThan(0), 30_000)
    await on.screen.press('q')
    await on.screen.shows('A request or transfer is still in progress')
    way.goOn()
    await on.screen.press('y')
    expect((await on.screen.ended).code).toBe(0)
  } finally {
    await way.close()
  }
})
