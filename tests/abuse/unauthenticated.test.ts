import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { usageOf } from '../bench/product.ts'
import { spread } from '../bench/row.ts'
import {
  type Attack,
  bodyless,
  breakHttp2,
  floods,
  floodWith,
  openMany,
  sendAhead,
  sendHalfMessages,
  unread,
} from '../support/peers/attacks.ts'
import { type Program, startProgram } from '../support/program.ts'
import { siteSecret } from '../support/world.ts'

const MiB = 1024 * 1024
/** Addresses of somebody who is neither this machine nor the quiet caller. */
const elsewhere = '127.0.0.9'

// Each starts a program of its own.
vi.setConfig({ testTimeout: 120_000 })

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** One that nobody attacks: its callers wait for what else the machine does, too. */
let calmPort: number
const closingAll: (() => unknown)[] = []
beforeAll(async () => {
  calmPort = (await start()).port
  closingAll.push(...closing.splice(0))
})
afterAll(async () => {
  for (const close of closingAll.reverse()) await close()
})

async function start(flags: readonly string[] = [], options: { descriptors?: number } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'qd-unauthenticated-'))
  const environment = { QD_ADMIN_PASSWORD: 'a first password', QD_AGENT_SECRET: siteSecret }
  const program = startProgram(['--no-agent', '--port', '0', '--data', data, ...flags], environment, options)
  closing.push(() => rmSync(data, { recursive: true, force: true }))
  closing.push(async () => {
    program.child.kill('SIGKILL')
    await program.ended
  })
  return { program, port: Number(new URL(await program.ready()).port) }
}

const during = <A extends Attack>(attack: A): A => {
  closing.push(() => attack.close())
  return attack
}

const descriptorsOf = ({ child }: Program) => readdirSync(`/proc/${child.pid}/fd`).length

/** Resolves once the program has nothing more to work on. */
async function atRest({ child }: Program): Promise<void> {
  const used = () => usageOf(child.pid!).cpuSeconds
  for (let before = used(); ; before = used()) {
    await sleep(300)
    if (used() - before < 0.05) return
  }
}

/** How long one call takes, in ms. Errors: rejects if there is no answer of 200. */
function call(
  port: number,
  { path = '/api/v1/setting', from = '127.0.0.1', agent = false as Agent | false, headers = {} } = {},
) {
  const started = performance.now()
  return new Promise<number>((resolve, reject) => {
    get({ port, host: '127.0.0.1', localAddress: from, path, agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(performance.now() - started) : reject(new Error(`${answer.statusCode}`)),
      )
    }).on('error', reject)
  })
}

/** What a quiet caller with one kept connection, and one with a new one each time, wait for so long, at p95, and what they wait at the calm server in turn. */
async function quietP95(port: number, ms: number) {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const calm: number[] = []
  for (const until = performance.now() + ms; performance.now() < until; await sleep(20)) {
    times.push(await call(port, { agent }), await call(port))
    calm.push(await call(calmPort, { agent }), await call(calmPort))
  }
  agent.destroy()
  return { p95: spread(times).p95, bearable: Math.max(300, 5 * spread(calm).p95) }
}

/** Fails if quiet callers wait longer than at the calm server, each time. What they may wait, in ms. */
async function expectPeace(port: number, ms: number): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const { p95, bearable } = await quietP95(port, ms)
    if (tries === 5) expect(p95).toBeLessThan(bearable)
    if (p95 < bearable) return bearable
  }
}

test('S-53 calls with a wrong secret are refused before their bodies are collected', async () => {
  const { program, port } = await start()
  const before = usageOf(program.child.pid!).residentBytes
  const attacks = [3, 4, 5, 6].map((n) => during(sendHalfMessages({ port, from: `127.0.0.${n}`, connections: 3 })))
  let most = 0
  for (const until = performance.now() + 4000; performance.now() < until; await sleep(50)) {
    most = Math.max(most, usageOf(program.child.pid!).residentBytes)
  }
  expect((most - before) / MiB).toBeLessThan(64)
  await expect.poll(() => attacks.map((attack) => attack.cut()), { timeout: 10_000 }).toEqual([3, 3, 3, 3])
  await expectPeace(port, 500)
})

test.each(['/healthz', '/api/v1/setting'])(
  'S-54 a flood of %s on one connection leaves others in peace',
  async (path) => {
    const { port } = await start()
    const flood = during(sendAhead({ port, from: elsewhere, path, perSecond: 1000 }))
    await expect.poll(() => flood.answers(), { timeout: 20_000 }).toBeGreaterThan(100)
    const bearable = await expectPeace(port, 2500)
    expect(await call(port, { from: elsewhere })).toBeLessThan(bearable * 4)
    // It is not cut either: it gets its share.
    await expect.poll(() => flood.answers(), { timeout: 20_000 }).toBeGreaterThan(1000)
    expect(flood.cut()).toBe(0)
  },
)

test('S-55 broken HTTP/2 leaves no descriptor behind, and 1,024 of them are enough for others', async () => {
  const { program, port } = await start([], { descriptors: 1024 })
  const before = descriptorsOf(program)
  const attack = during(breakHttp2({ port, from: elsewhere, perSecond: 60 }))
  await expectPeace(port, 6000)
  expect(descriptorsOf(program)).toBeLessThan(1024 / 2)
  attack.close()
  await expect.poll(() => descriptorsOf(program), { timeout: 5000 }).toBeLessThanOrEqual(before + 2)
  await expectPeace(port, 300)
})

test('S-56 connections of one address on which nobody signed in are bounded and end by themselves', async () => {
  const { program, port } = await start([], { descriptors: 1024 })
  const before = descriptorsOf(program)
  const halves = during(openMany({ port, from: elsewhere, count: 1000, words: 'PRI * HT' }))
  const bodies = during(
    openMany({
      port,
      from: '127.0.0.10',
      count: 100,
      words: 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    }),
  )
  await expect.poll(() => halves.cut(), { timeout: 10_000 }).toBe(1000 - 384)
  await expectPeace(port, 1000)
  expect(descriptorsOf(program)).toBeLessThan(before + 512 + 10)
  expect(program.output.errors.match(/closed connections from this address/g)).toHaveLength(1)
  // Some of them had to wait for others to go.
  await expect.poll(() => [halves.cut(), bodies.cut()], { timeout: 25_000 }).toEqual([1000, 100])
})

test('S-56 a trusted proxy is not one caller: as many connections as it likes', async () => {
  const { program, port } = await start(['--trust-proxy', elsewhere])
  const agent = new Agent({ keepAlive: true, maxSockets: 600 })
  await Promise.all(Array.from({ length: 600 }, () => call(port, { from: elsewhere, agent })))
  agent.destroy()
  expect(program.output.errors).not.toContain('closed connections')
})

test('S-56 a body of somebody who is not signed in is at most 16 KiB', async () => {
  const { port } = await start()
  const socket = connect({ port, host: '127.0.0.1' })
  const head = 'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close'
  socket.write(`${head}\r\nContent-Length: 20000\r\n\r\n${' '.repeat(20_000)}`)
  let text = ''
  for await (const bytes of socket) text += bytes
  expect(text).toMatch(/^HTTP\/1.1 413 /)
})

test('issue 11.8: OPTIONS * and HTTP/1.0 without Host are answered', async () => {
  const { port } = await start()
  const ask = async (request: string) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(request)
    let text = ''
    for await (const bytes of socket) text += bytes
    return text
  }
  expect(await ask('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 204 /)
  expect(await ask('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 .*\{"success":true\}$/s)
})

test('issue 11: floods of headers and frames are cut, hold nothing and leave others in peace', async () => {
  const { program, port } = await start()
  const before = usageOf(program.child.pid!).residentBytes
  const all = Object.values(floods).map((piece) => during(floodWith({ port, from: elsewhere, piece })))
  const many = during(
    openMany({ port, from: elsewhere, count: 20, words: `GET / HTTP/1.1\r\n${'X-Header: flood\r\n'.repeat(5000)}` }),
  )
  await expectPeace(port, 3000)
  expect((usageOf(program.child.pid!).residentBytes - before) / MiB).toBeLessThan(64)
  await expect
    .poll(() => [...all, many].map((attack) => attack.cut()), { timeout: 20_000 })
    .toEqual([...all.map(() => 1), 20])
})

test.each([
  ['33 sign-ins without their bodies', { count: 33, words: bodyless, reads: true }],
  ['40 connections that read no answer', { count: 40, words: unread, reads: false }],
])('issue 37.3 %s stop no one at the same address, and are cut', async (_what, words) => {
  const { program, port } = await start()
  const signIn = await fetch(`http://127.0.0.1:${port}/api/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'a first password' }),
  })
  const signedIn = {
    Cookie: signIn.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  }
  const before = descriptorsOf(program)
  let cut = null as number | null
  // On a busy machine, they may be cut before the calls begin.
  for (let tries = 0; tries < 3 && cut !== 0; tries += 1) {
    const attack = during(openMany({ port, from: elsewhere, ...words }))
    await expect.poll(() => descriptorsOf(program)).toBeGreaterThanOrEqual(before + words.count)
    await atRest(program)
    for (let calls = 0; calls < 3; calls += 1) {
      await call(port, { from: elsewhere, headers: signedIn })
      // Who signs in from there is no one yet.
      await call(port, { from: elsewhere })
    }
    cut = attack.cut()
    if (cut > 0) attack.close()
  }
  // They were answered beside these, not after them.
  expect(cut).toBe(0)
  await expect.poll(() => descriptorsOf(program), { timeout: 40_000 }).toBeLessThanOrEqual(before + 2)
})
