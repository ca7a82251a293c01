import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin } from '../support/world.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { type Screen, startScreen } from './screen.ts'

let programs: Programs
let fleet: Fleet
let screen: Screen | null = null
let child: ChildProcess | null = null
const home = mkdtempSync(join(tmpdir(), 'qd-watch-'))

beforeAll(async () => {
  programs = await buildPrograms()
  fleet = await createFleet(['web-1', 'web-2', 'db-1'])
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await screen?.close()
  screen = null
})
afterAll(async () => {
  await fleet?.close()
  programs?.close()
  rmSync(home, { recursive: true, force: true })
})

/** `qd` without a terminal, watching until it is stopped. */
function watching(args: readonly string[], url = fleet.world.origin) {
  const out = { lines: [] as string[], errors: '' }
  const started = spawn(process.execPath, [programs.qd, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      QD_URL: url,
      QD_USER: admin.username,
      QD_PASSWORD: admin.password,
    },
  })
  child = started
  started.stdout.setEncoding('utf8').on('data', (text: string) => out.lines.push(...text.trimEnd().split('\n')))
  started.stderr.setEncoding('utf8').on('data', (text: string) => {
    out.errors += text
  })
  const ended = new Promise<number | null>((resolve) => started.on('close', resolve))
  return {
    out,
    async stop() {
      started.kill('SIGINT')
      return ended
    },
    ended,
  }
}

/** A way to the server that can be closed and opened again. */
async function startRoad(origin: string) {
  const { hostname, port } = new URL(origin)
  const sockets = new Set<Socket>()
  let server: Server
  const listen = (at: number) =>
    new Promise<number>((resolve) => {
      server = createServer((near) => {
        const far = connect(Number(port), hostname)
        for (const socket of [near, far]) {
          sockets.add(socket)
          socket.on('error', () => undefined).on('close', () => [near, far].map((one) => one.destroy()))
        }
        near.pipe(far).pipe(near)
      }).listen(at, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    })
  const mine = await listen(0)
  return {
    url: `http://127.0.0.1:${mine}`,
    open: () => listen(mine),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('issue 14: qd watch writes a list, then each change as a line, also what is gone; Ctrl+C ends with 130', async () => {
  const browser = await fleet.world.login()
  const { out, stop } = watching(['watch', 'server-group', 'name:w*', '--jsonl', 'id,name,servers'])
  const last = () => JSON.parse(out.lines.at(-1) ?? 'null')
  const [one, two] = [fleet.ids.get('web-1')!, fleet.ids.get('web-2')!]
  await expect.poll(last).toEqual({ id: 1, name: 'web', servers: [one, two] })
  const id = Number(await browser.api('POST', 'server-group', { name: 'wide', servers: [one] }))
  await expect.poll(last).toEqual({ id, name: 'wide', servers: [one] })
  await browser.api('POST', 'server-group', { name: 'other', servers: [] })
  await browser.api('PATCH', `server-group/${id}`, { name: 'wider', servers: [one] })
  await expect.poll(last).toEqual({ id, name: 'wider', servers: [one] })
  await browser.api('POST', 'batch-delete/server-group', [id])
  await expect.poll(last).toEqual({ id, name: 'wider', servers: [one], gone: true })
  expect(out.lines.filter((line) => line.includes('other'))).toEqual([])
  expect([await stop(), out.errors]).toEqual([130, ''])
})

test('issue 18: --watch on a list draws a table in its place on a terminal, with figures of now', async () => {
  fleet.sample('web-2', { cpu: 97 })
  screen = startScreen({
    qd: programs.qd,
    url: fleet.world.origin,
    columns: 120,
    args: ['server', 'ls', '--watch', '--sort', '-cpu', '--limit', '2'],
  })
  await screen.shows((rows) => /web-2.* 97/.test(rows[1] ?? '') && (rows[3] ?? '').startsWith('Servers: 2 of 3'))
  fleet.sample('db-1', { cpu: 99 })
  await screen.shows((rows) => /db-1.* 99/.test(rows[1] ?? '') && rows.filter((row) => row !== '').length === 4)
  await screen.press('Ctrl+c')
  expect((await screen.ended).code).toBe(130)
})

test('a connection that is lost and back is said on stderr, and changes go on', async () => {
  const road = await startRoad(fleet.world.origin)
  const { out, stop } = watching(['server-group', 'ls', '-w', '--plain', '--no-header'], road.url)
  await expect.poll(() => out.lines.length).toBeGreaterThan(0)
  await road.close()
  await expect.poll(() => out.errors).toContain('Connection lost')
  const browser = await fleet.world.login()
  await browser.api('POST', 'server-group', { name: 'meanwhile', servers: [] })
  await road.open()
  await expect.poll(() => out.errors).toContain('Reconnected')
  await expect.poll(() => out.lines.at(-1)).toContain('meanwhile')
  expect(await stop()).toBe(130)
  await road.close()
})

test('what cannot be watched is refused before anything is asked', async () => {
  const { out, ended } = watching(['watch', 'server', 'cpu>'])
  expect(await ended).toBe(2)
  expect([out.lines, out.errors]).toEqual([[], expect.stringContaining('after “cpu”')])
  const typo = watching(['watch', 'servr'])
  expect(await typo.ended).toBe(2)
  expect(typo.out.errors).toContain('qd watch server')
})
