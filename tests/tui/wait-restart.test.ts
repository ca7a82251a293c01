import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type RealAgent, startRealAgent } from '../support/peers/real-agent.ts'
import { type Program, startProgram } from '../support/program.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, siteSecret, uuidOf } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-wait-'))
let programs: Programs
let server: Program
let agent: RealAgent
let url: string

const startServer = (port: string) =>
  startProgram(['--no-agent', '--port', port, '--data', join(folder, 'data')], {
    QD_ADMIN_PASSWORD: admin.password,
    QD_AGENT_SECRET: siteSecret,
  })

/** `qd` as a script calls it, and what it has written so far. */
function qd(...args: string[]) {
  const env = { PATH: process.env.PATH, QD_URL: url, QD_USER: admin.username, QD_PASSWORD: admin.password }
  const child = spawn(process.execPath, [programs.qd, ...args], { env: { ...env, QD_CONFIG: folder } })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes) => (written.stdout += String(bytes)))
  child.stderr.on('data', (bytes) => (written.stderr += String(bytes)))
  return { written, ended: new Promise<number | null>((resolve) => child.on('close', resolve)) }
}

async function online() {
  const isOnline = async () => {
    const list = qd('server', 'ls', 'online', '-o', 'name')
    await list.ended
    return list.written.stdout !== ''
  }
  await vi.waitUntil(isOnline, { timeout: 60_000, interval: 200 })
}

async function stopServer() {
  server.child.kill('SIGTERM')
  await server.ended
}

/** A test that ended early may have left the server stopped. */
async function ensureServer() {
  if (server.child.exitCode === null) return
  server = startServer(new URL(url).port)
  await server.ready()
}

beforeAll(async () => {
  programs = await buildPrograms()
  server = startServer('0')
  url = await server.ready()
  agent = startRealAgent({
    program: programs.agent,
    port: Number(new URL(url).port),
    secret: siteSecret,
    uuid: uuidOf(1),
    folder,
  })
  await online()
})
afterAll(async () => {
  await agent?.stop()
  await stopServer()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  await ensureServer()
  await online()
})

test('issue 36.11 --wait goes on through a restart of the server and ends with the code of the run', async () => {
  const own = mkdtempSync(join(folder, 'run-'))
  const [started, go] = [join(own, 'started'), join(own, 'go')]
  const held = `touch ${started}; until [ -e ${go} ]; do sleep 0.1; done`
  const run = qd('exec', '1', '--timeout', '80s', '--', held)
  await expect.poll(() => existsSync(started)).toBe(true)
  await stopServer()
  await expect.poll(() => run.written.stderr).toContain('can’t reach the server; still waiting')
  await ensureServer()
  writeFileSync(go, '')
  expect(await run.ended).toBe(1)
  expect(run.written.stderr).toMatch(/connection lost\n.*details: qd run get \d+\n$/)
})

test('issue 36.11 what ends the wait names the run last: at its time limit, and in JSON', async () => {
  const before = new Set((await runs()).map(({ id }) => id))
  const held = `until [ -e ${join(folder, 'never')} ]; do sleep 0.1; done`
  const run = qd('exec', '1', '--timeout', '10s', '--', held)
  await expect.poll(() => openRun(before)).toBeDefined()
  const id = (await openRun(before))!
  const wait = qd('run', 'wait', String(id), '--timeout', '10s', '--json', '--verbose')
  // Its first read must be answered: only a wait that has begun is patient.
  await expect.poll(() => wait.written.stderr).toMatch(new RegExp(`^< 200 GET .*/run/${id}\\b`, 'm'))
  await stopServer()
  expect(await run.ended).toBe(7)
  expect(run.written.stderr).toMatch(new RegExp(`the run continues: qd run get ${id}\\n$`))
  expect(await wait.ended).toBe(7)
})

test('a wait for a new server ends at its time limit while this server is away, and still says in JSON who came', async () => {
  await qd('setting', 'set', '--install-host', new URL(url).host).ended
  const wait = qd('server', 'install', '--wait', '--timeout', '10s', '--json')
  await expect.poll(() => wait.written.stderr).toContain('Waiting for an agent…')
  await stopServer()
  expect(await wait.ended).toBe(7)
  expect(wait.written.stdout).toMatch(/"connected": ?\[\]/)
  expect(wait.written.stderr).toContain('0 of 1 connected in time')
})

async function runs(): Promise<{ id: number; state: string }[]> {
  const list = qd('run', 'ls', '--json', 'id,state')
  await list.ended
  return JSON.parse(list.written.stdout || '[]')
}

/** The run that is open and not one of these. */
async function openRun(known: ReadonlySet<number>): Promise<number | undefined> {
  return (await runs()).find(({ id, state }) => state === 'open' && !known.has(id))?.id
}
