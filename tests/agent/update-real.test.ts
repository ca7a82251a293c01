import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentPaths, toReportedVersion } from '@qd/protocol/agent-update'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { buildAgent } from '../support/programs.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

let built: Awaited<ReturnType<typeof buildAgent>>
/** Where the bundle says its version, and what it says. */
const own = /(?<=name:"quarterdeck",version:")[^"]+/
let current: string
let folder: string
let installed: string
let world: World
let root: Browser
let line: Server
let agent: RealAgent
/** Whether what comes of the bundle is changed on its way. */
let isSpoiled: boolean
const sockets = new Set<Socket>()

/** The way between the agent and the server; it can change the bundle, and nothing else. */
const startLine = (port: number) =>
  createServer((near) => {
    const far = connect(port, '127.0.0.1')
    let asksForBundle = false
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => undefined))
      socket.on('close', () => (socket === near ? far : near).destroy())
    }
    near.on('data', (bytes) => {
      asksForBundle ||= bytes.toString('latin1').startsWith(`GET ${agentPaths.bundle} `)
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (asksForBundle && isSpoiled) bytes[bytes.length - 1]! ^= 1
      near.write(bytes)
    })
  })

beforeAll(async () => {
  built = await buildAgent()
  current = own.exec(readFileSync(built.agent, 'utf8'))![0]
})
afterAll(() => built.close())

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-update-real-'))
  installed = join(folder, 'quarterdeck-agent.mjs')
  writeFileSync(installed, readFileSync(built.agent, 'utf8').replace(own, '0.0.9'))
  world = await createWorld({ config: { agentBundle: built.agent } })
  root = await world.login()
  isSpoiled = false
  line = startLine(world.port)
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const { port } = line.address() as AddressInfo
  const flags = ['--supervise', '--config', join(folder, 'agent.json')]
  agent = startRealAgent({ program: installed, flags, port, secret: siteSecret, uuid: uuidOf(1), folder })
  // The first report on its state comes when it can be given tasks.
  await expect.poll(async () => (await server())?.last_active).toMatch(/^2/)
  expect(await version()).toBe(toReportedVersion('0.0.9'))
})
afterEach(async () => {
  await agent.stop()
  for (const socket of sockets) socket.destroy()
  line.close()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const server = async () =>
  ((await root.api('GET', 'server')) as { host: { version: string }; last_active: string }[] | null)?.[0]
const version = async () => (await server())?.host.version
const update = async (): Promise<number> =>
  ((await root.api('POST', 'force-update/server', [1])) as { run_id: number }).run_id
const itemOf = async (run: number) =>
  ((await root.api('GET', `run/${run}`)) as { items: { state: string; output: string }[] }).items[0]!

test('the new version is in the list within 30 s, and the ledger says success', async () => {
  const run = await update()
  await expect.poll(version, { timeout: 30_000 }).toBe(toReportedVersion(current))
  await expect
    .poll(() => itemOf(run))
    .toMatchObject({
      state: 'success',
      output: expect.stringMatching(/0\.0\.9 -> /),
    })
})

test('with a wrong hash the old one runs on, and the ledger says failure and why', async () => {
  isSpoiled = true
  const before = readFileSync(installed)
  const run = await update()
  await expect
    .poll(() => itemOf(run))
    .toMatchObject({
      state: 'failure',
      output: expect.stringMatching(/^the new agent has the SHA-256 [\da-f]{64} instead of [\da-f]{64}$/),
    })
  expect(await version()).toBe(toReportedVersion('0.0.9'))
  expect(readFileSync(installed).equals(before)).toBe(true)
  isSpoiled = false
  await update()
  await expect.poll(version, { timeout: 30_000 }).toBe(toReportedVersion(current))
})
