import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { admin, createWorld, type World } from '../support/world.ts'

const total = 1300
const closed = 40
const start = Date.now() - (total + 5) * 60_000
const folder = mkdtempSync(join(tmpdir(), 'qd-many-'))
let programs: Programs
let world: World

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld()
  await world.agent()
  await world.agent()
  const incident = (index: number) => ({
    id: index + 1,
    owner_id: 1,
    created_at: start + index * 60_000,
    updated_at: start + index * 60_000,
    source: 'alert-rule',
    rule_id: 1,
    service_id: 0,
    server_id: (index % 2) + 1,
    name: index === 3 ? 'the fourth' : `rule ${index % 7}`,
    state: index < closed ? 'closed' : 'open',
    reading: 'null',
    error: '',
    closed_at: index < closed ? start + index * 60_000 : null,
    acked_by: '',
    acked_at: null,
    silenced_until: null,
    quiet: 0,
    told: '[]',
    runs: '[]',
    responses: '[]',
    notice_pending: 0,
    tasks_pending: 0,
  })
  const rows = Array.from({ length: total }, (_, index) => incident(index))
  await world.server.container.db.insertInto('incidents').values(rows).execute()
  // The engine knows what is open from its start.
  await world.restart()
}, 120_000)
afterAll(async () => {
  await world?.close()
  programs?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function qd(...args: string[]) {
  const account = { QD_USER: admin.username, QD_PASSWORD: admin.password }
  const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', QD_CONFIG: join(folder, 'config.json') }
  const child = spawn(process.execPath, [programs.qd, ...args], { env: { ...env, ...account, QD_URL: world.origin } })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => (stdout += text))
  child.stderr.on('data', (text) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout, stderr, rows: () => JSON.parse(stdout) as { id: number; state: string }[] }
}

/** How many are open; the engine closes some of what it finds at its start. */
const open = async () =>
  ((await (await world.login()).api('GET', 'incident?limit=1')) as { counts: { open: number } }).counts.open

test('issue 10.22 a list goes to its end, or as far as was asked', async () => {
  const all = await qd('incident', 'ls', '--json', 'id')
  expect(all.rows()).toHaveLength(total)
  expect(all.rows()[0]).toEqual({ id: total })
  expect((await qd('incident', 'ls', '--limit', '5000', '--json', 'id')).rows()).toHaveLength(total)
  const some = (await qd('incident', 'ls', '--limit', '700', '--json', 'id')).rows()
  expect([some.length, some.at(-1)!.id]).toEqual([700, total - 699])
  const first = (await qd('incident', 'ls', '--sort', 'created_at', '--limit', '2', '--json', 'id')).rows()
  expect(first.map(({ id }) => id)).toEqual([1, 2])
  const found = (await qd('incident', 'ls', 'closed', '--json', 'id,state')).rows()
  expect([found.length, new Set(found.map(({ state }) => state))]).toEqual([
    total - (await open()),
    new Set(['closed']),
  ])
})

test('issue 10.22 an old record is found by its id and by its name', async () => {
  expect((await qd('incident', 'get', '1', '--json', 'id,name')).stdout).toBe('{"id":1,"name":"rule 0"}\n')
  expect((await qd('incident', 'get', 'the fourth', '--json', 'id')).stdout).toBe('{"id":4}\n')
  expect((await qd('incident', 'ls', '--ids', '1,7,1300', '--json', 'id')).rows()).toHaveLength(3)
  const none = await qd('incident', 'ack', '9999')
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('9999') })
})

test('issue 10.22 10.23 what is done to all is done to every one of them; those that are refused are named', async () => {
  const dry = await qd('incident', 'ack', '--select', 'open', '--dry-run', '--json')
  expect((JSON.parse(dry.stdout) as { calls: unknown[] }).calls).toHaveLength(await open())
  // One is over, the server's engine never heard of the other: each is said with its name and its reason.
  const ended = await qd('incident', 'ack', '1', '1290', '--json')
  expect(ended.stderr).toMatch(/error: rule 0 \(1\): .*it’s closed/)
  expect(ended.stderr).toMatch(/error: rule \d \(1290\): /)
  expect(ended.stderr).toContain('0 done, 2 failed, 0 skipped')
  expect(JSON.parse(ended.stdout)).toMatchObject({ kind: 'done', failed: [{ id: 1 }, { id: 1290 }] })
})
