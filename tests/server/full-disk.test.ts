import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, expect } from 'vitest'
import { type Browser, createBrowser } from '../support/browser.ts'
import { setRoom } from '../support/disk.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { type SimulatedAgent, startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { type Program, startProgram } from '../support/program.ts'
import { serverProgram } from '../support/programs.ts'

const password = 'correct horse battery'
const secret = 'agentSecretOfTheFullDiskStory012'

let data: string
let program: Program | null = null
let agent: SimulatedAgent | null = null
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'qd-full-disk-'))
})
afterEach(async () => {
  await agent?.close()
  program?.child.kill('SIGKILL')
  await program?.ended
  agent = null
  rmSync(data, { recursive: true, force: true })
})

async function start() {
  program = startProgram(['--no-agent', '--port', '0', '--data', data], {
    QD_ADMIN_PASSWORD: password,
    QD_AGENT_SECRET: secret,
  })
  const origin = await program.ready()
  return { program, origin, port: Number(new URL(origin).port) }
}

const trouble = async (browser: Browser): Promise<string> => {
  const { status, body } = await browser.send('GET', '/healthz')
  return status === 200 ? 'none' : (body.error ?? '')
}
const kinds = 'select kind from events order by id'
const rows = (name: string, query: string) => {
  const file = new Driver(join(data, name), { readonly: true })
  const found = file.prepare(query).pluck().all()
  file.close()
  return found
}

test('R-13 a full disk: writes say so, reading and signing in go on, what happened meanwhile is written later', {
  timeout: 120_000,
}, async () => {
  const { program, origin, port } = await start()
  const root = createBrowser(origin)
  await root.login('admin', password)
  await root.api('POST', 'server-group', { name: 'before', servers: [] })

  setRoom(program, false)
  for (let call = 0; call < 20; call += 1) {
    const answer = await root.send('POST', '/api/v1/server-group', { body: { name: 'during', servers: [] } })
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([
      507,
      'diskFull',
      expect.stringContaining('disk is full'),
    ])
  }
  expect(await root.api('GET', 'server-group')).toHaveLength(1)
  const second = createBrowser(origin)
  await second.login('admin', password)
  expect((await second.send('GET', '/api/v1/profile')).body.success).toBe(true)
  const health = await second.send('GET', '/healthz')
  expect([health.status, health.body.error]).toEqual([503, expect.stringContaining('disk is full')])

  setRoom(program, true)
  const known = { port, secret, uuid: 'f0000000-0000-4000-8000-000000000001' }
  agent = await startSimulatedAgent(known)
  await expect.poll(() => rows('quarterdeck.db', kinds)).toEqual(['enrolled', 'online'])
  await expect.poll(() => trouble(root)).toBe('none')
  await agent.close()
  setRoom(program, false)
  agent = await startSimulatedAgent({ ...known, address: '203.0.113.99' })
  await expect
    .poll(() => trouble(root), { timeout: 60_000 })
    .toMatch(/cannot write events.*cannot write history|cannot write history.*cannot write events/)
  await agent.close()
  agent = null
  setRoom(program, true)
  await expect.poll(() => trouble(root)).toBe('none')
  await root.api('POST', 'server-group', { name: 'after', servers: [] })
  expect((await second.send('GET', '/api/v1/profile')).body.success).toBe(true)

  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(rows('quarterdeck.db', kinds)).toEqual(['enrolled', 'online', 'ip-changed'])
  // A step goes from the journal into rows with the next ten minutes.
  expect(
    rows('history.db', 'select (select count(*) from history_journal) + (select count(*) from history_rows)'),
  ).not.toEqual([0])
  expect(rows('quarterdeck.db', "select count(*) from audit where action = 'sign-in'")).toEqual([2])
  const told = program.output.errors.split('\n').filter((line) => line.includes('disk full or read-only'))
  // It was full twice.
  expect(told).toHaveLength(2)
  expect(program.output.errors).not.toMatch(/^\s+at /m)
})

test('R-14 a full disk at the start: one true sentence, exit code 2', async () => {
  const main = await serverProgram()
  const starting = (folder: string) =>
    spawnSync('prlimit', ['--fsize=1', process.execPath, main, '--no-agent', '--port', '0', '--data', folder], {
      encoding: 'utf8',
    })
  const fresh = starting(join(data, 'fresh'))
  expect([fresh.status, fresh.stderr.trim()]).toEqual([
    2,
    expect.stringMatching(/^quarterdeck: the disk of the data folder .* is full or read-only .*$/),
  ])
  const { program } = await start()
  program.child.kill('SIGTERM')
  await program.ended
  const used = starting(data)
  expect([used.status, used.stderr.trim()]).toEqual([
    2,
    expect.stringMatching(/^quarterdeck: the disk of the data folder .* is full or read-only .*$/),
  ])
  expect(readdirSync(data)).not.toContain('server.pid')
})
