import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

/** A service as its list says it. */
interface Service {
  id: number
  status: number
  error: string
  delay: number | null
  up_percent: number | null
  cert_issuer: string
  cert_expires_at: string | null
}

const status = { noData: 1, good: 2, low: 3, down: 4 }

let clock: FakeClock
let world: World
let browser: Browser
let agent: RealAgent
let receiver: Receiver
let group: number
let folder: string
let closeProgram: () => void

const listen = <S extends Server>(server: S, port = 0) =>
  new Promise<number>((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )

const monitor = async (fields: object) =>
  (await browser.api('POST', 'service', {
    name: 'shop',
    duration: 30,
    notify: true,
    notification_group_id: group,
    ...fields,
  })) as number

/** What is left out is empty. */
const empty = { error: '', cert_issuer: '', cert_expires_at: null, delay: null, up_percent: null }
const read = async (id: number) => {
  const rows = (await browser.api('GET', `service/list?id=${id}`)) as (Omit<Service, keyof typeof empty> &
    Partial<Service>)[]
  return { ...empty, ...rows.find((row) => row.id === id)! }
}

const resultsOf = async (id: number) => {
  const { services } = (await browser.api('GET', 'service')) as {
    services: Record<string, { total_up: number; total_down: number }>
  }
  const { total_up, total_down } = services[id]!
  return total_up + total_down
}

/** Lets the time between two probes pass, and the next result come. */
async function nextResult(id: number) {
  const before = await resultsOf(id)
  await clock.advance(30_000)
  await expect.poll(() => resultsOf(id), { interval: 5 }).toBe(before + 1)
}

/** Probes until the service stands so; returns how often. */
async function probesUntil(id: number, wanted: number, most: number) {
  for (let count = 1; count <= most; count += 1) {
    await nextResult(id)
    if ((await read(id)).status === wanted) return count
  }
  throw new Error(`still ${(await read(id)).status} after ${most} probes`)
}

const told = (words: string) => receiver.inbox.unread.filter(({ body }) => body.includes(words))

const runNames = async () =>
  ((await browser.api('GET', 'run')) as { value: { name: string; started_by: string }[] }).value.map(
    ({ name, started_by }) => `${name} by ${started_by}`,
  )

/** The shipped agent; what it trusts besides the usual is decided when it starts. */
async function startAgent(authorities: readonly string[]): Promise<void> {
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, authorities.join('\n'))
  const program = await buildAgent()
  closeProgram = program.close
  agent = startRealAgent({
    program: program.agent,
    port: world.port,
    secret: siteSecret,
    uuid: uuidOf(1),
    folder,
    environment: { NODE_EXTRA_CA_CERTS: trusted },
  })
  await vi.waitFor(() => expect(world.server.container.agents.connected(1)).toBe(true), 30_000)
  await browser.api('PATCH', 'server/1', { name: 'web-1' })
}

const ending = makeCertificate({ days: 5, name: 'localhost' })
const lasting = makeCertificate({ days: 90, name: 'localhost' })

beforeAll(async () => {
  // Certificates are made by the machine's clock.
  clock = createFakeClock(Date.now())
  folder = mkdtempSync(join(tmpdir(), 'qd-monitors-'))
  world = await createWorld({ clock })
  browser = await world.login()
  receiver = await startReceiver()
  group = await receiver.addGroup(browser)
  await startAgent([ending.cert, lasting.cert])
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  await receiver.close()
  closeProgram()
  rmSync(folder, { recursive: true, force: true })
})

test('a TCP service goes down and up: told each time, tasks run once', async () => {
  let service = createTcpServer((socket) => socket.end())
  const task = async (name: string) =>
    (await browser.api('POST', 'cron', { name, task_type: 1, command: 'true', cover: 2, servers: [] })) as number
  const tasks = { fail_trigger_tasks: [await task('stop-sale')], recover_trigger_tasks: [await task('start-sale')] }
  const target = `127.0.0.1:${await listen(service)}`
  const id = await monitor({ type: 3, target, enable_trigger_task: true, ...tasks })
  await clock.advance(0)
  await expect.poll(() => read(id)).toMatchObject({ status: status.good, error: '', up_percent: 100 })
  expect((await read(id)).delay).toBeGreaterThan(0)

  await new Promise((resolve) => service.close(resolve))
  expect(await probesUntil(id, status.down, 3)).toBe(1)
  expect(await read(id)).toMatchObject({ error: `web-1: dial tcp ${target}: connect: connection refused` })
  await expect.poll(() => told('[Down] shop Reporter: web-1')).toHaveLength(1)
  await nextResult(id)
  await nextResult(id)
  expect(told('[Down]')).toHaveLength(1)
  await expect.poll(runNames).toEqual(['stop-sale by service shop'])

  service = createTcpServer((socket) => socket.end())
  await listen(service, Number(target.split(':')[1]))
  await probesUntil(id, status.good, 40)
  await expect.poll(() => told('[Good] shop Reporter: web-1')).toHaveLength(1)
  await expect.poll(runNames).toEqual(['start-sale by service shop', 'stop-sale by service shop'])
  expect(await read(id)).toMatchObject({ error: '' })
  await new Promise((resolve) => service.close(resolve))
})

test('a certificate about to end is told, one that lasts is not', async () => {
  const sites = await Promise.all(
    [ending, lasting].map((certificate) =>
      listen(createHttpsServer(certificate, (_request, answer) => answer.end('ok')).unref()),
    ),
  )
  const [old, fresh] = await Promise.all(
    sites.map((port, index) =>
      monitor({ name: ['old', 'fresh'][index], type: 1, target: `https://127.0.0.1:${port}/` }),
    ),
  )
  await clock.advance(0)
  for (const id of [old!, fresh!])
    await expect.poll(() => read(id)).toMatchObject({ status: status.good, cert_issuer: 'localhost' })
  const left = Date.parse((await read(old!)).cert_expires_at!) - clock.now()
  expect(Math.round(left / 86_400_000)).toBe(5)
  await expect.poll(() => told('[TLS] old The TLS certificate will expire within seven days.')).toHaveLength(1)
  expect(told('[TLS] fresh')).toEqual([])
})

test('an untrusted certificate is a failure that says why', async () => {
  const { key, cert } = makeCertificate({ days: 90, name: 'stranger' })
  const port = await listen(createHttpsServer({ key, cert }, (_request, answer) => answer.end()).unref())
  const id = await monitor({ name: 'stranger', type: 1, target: `https://127.0.0.1:${port}/` })
  await clock.advance(0)
  await expect.poll(() => read(id)).toMatchObject({ status: status.down })
  expect((await read(id)).error).toMatch(/self-signed certificate/)
})

test('a site that answers an error', async () => {
  const port = await listen(createHttpServer((_request, answer) => answer.writeHead(503).end()).unref())
  const id = await monitor({ name: 'ailing', type: 1, target: `http://127.0.0.1:${port}/` })
  await clock.advance(0)
  await expect
    .poll(() => read(id))
    .toMatchObject({ status: status.down, error: 'web-1: HTTP 503 Service Unavailable', delay: null })
  await expect.poll(() => told('[Down] ailing Reporter: web-1, Error: HTTP 503')).toHaveLength(1)
})

test('a site that is too slow is told once, and again when it was quick in between', async () => {
  // Far above what a busy machine takes for a quick answer.
  let waitMs = 2100
  const port = await listen(
    createHttpServer((_request, answer) => void setTimeout(() => answer.end('ok'), waitMs)).unref(),
  )
  const limits = { latency_notify: true, max_latency: 2000 }
  const id = await monitor({ name: 'snail', type: 1, target: `http://127.0.0.1:${port}/`, ...limits })
  await clock.advance(0)
  await expect.poll(() => told('[Latency] snail')).toHaveLength(1)
  expect(JSON.parse(told('[Latency] snail')[0]!.body).text).toMatch(
    / snail \d+\.\d{6} > 2000\.000000, Reporter: web-1$/,
  )
  await nextResult(id)
  expect((await read(id)).status).toBe(status.good)
  expect(told('[Latency] snail')).toHaveLength(1)
  waitMs = 0
  await nextResult(id)
  waitMs = 2100
  await nextResult(id)
  await expect.poll(() => told('[Latency] snail')).toHaveLength(2)
})

test('who looks hears of a change at once', async () => {
  const site = createHttpServer((_request, answer) => answer.end('ok'))
  const id = await monitor({ name: 'live', type: 1, target: `http://127.0.0.1:${await listen(site)}/` })
  await clock.advance(0)
  await expect.poll(() => read(id)).toMatchObject({ status: status.good })
  const feed = await openSocket(world, { browser, protocols: ['quarterdeck.live.v1'] })
  await feed.frame()
  await new Promise((resolve) => site.close(resolve))
  await nextResult(id)
  const heard = async () => {
    await clock.advance(250)
    return JSON.stringify(feed.unread)
  }
  await expect.poll(heard).toMatch(new RegExp(`"resource":"service","ids":\\[[\\d,]*\\b${id}\\b`))
  expect((await read(id)).status).toBe(status.down)
  feed.close()
})

test('a ping', async () => {
  const id = await monitor({ name: 'host', type: 2, target: '127.0.0.1' })
  await clock.advance(0)
  await expect.poll(() => read(id)).toMatchObject({ status: status.good, error: '' })
  expect((await read(id)).delay).toBeGreaterThan(0)
})
