import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { type Program, startProgram } from '../support/program.ts'

const password = 'correct horse battery'
let parent: string
let data: string
let programs: Program[] = []
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'qd-folder-'))
  data = join(parent, 'data')
})
afterEach(async () => {
  for (const { child, ended } of programs) {
    child.kill('SIGKILL')
    await ended
  }
  programs = []
  rmSync(parent, { recursive: true, force: true })
})

function run(): Program {
  const program = startProgram(['--no-agent', '--port', '0', '--data', data], { QD_ADMIN_PASSWORD: password })
  programs.push(program)
  return program
}

async function start() {
  const program = run()
  const root = createBrowser(await program.ready())
  await root.login('admin', password)
  const health = async () => (await root.send('GET', '/healthz')).body.error ?? 'well'
  return { program, root, health }
}

test('R-17 a database of no bytes is refused, not taken for a new one', async () => {
  const { program } = await start()
  program.child.kill('SIGTERM')
  await program.ended
  writeFileSync(join(data, 'quarterdeck.db'), '')
  const { ended, output } = run()
  expect(await ended).toBe(2)
  expect(output.errors).toMatch(
    /cannot read \S+quarterdeck\.db as a database \(it is empty\).*Replace it with a backup/,
  )
  expect(output.out).not.toContain('First start')
})

test('R-17 a lock file that is removed is held anew, so that a second server is still refused', async () => {
  const { program, health } = await start()
  rmSync(join(data, 'server.lock'))
  await expect.poll(() => program.output.errors).toContain('lock file was removed')
  expect(existsSync(join(data, 'server.lock'))).toBe(true)
  const second = run()
  expect(await second.ended).toBe(2)
  expect(second.output.errors).toContain('another Quarterdeck server is already running on the data folder')
  expect(await health()).toBe('well')
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})

test('R-17 a server whose lock another one took in that moment ends and says why', async () => {
  const { program } = await start()
  program.child.kill('SIGSTOP')
  rmSync(join(data, 'server.lock'))
  const second = run()
  await second.ready()
  program.child.kill('SIGCONT')
  expect(await program.ended).toBe(1)
  expect(program.output.errors).toContain('another Quarterdeck server took over the data folder')
})

test('R-17 a database that is removed while the server runs is told of, and written back when it stops', async () => {
  const { program, root, health } = await start()
  await root.api('POST', 'server-group', { name: 'before', servers: [] })
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `quarterdeck.db${suffix}`), { force: true })
  await expect.poll(health).toContain('quarterdeck.db was removed or moved while the server was running')
  await root.api('POST', 'server-group', { name: 'after', servers: [] })
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  const again = await start()
  const groups = (await again.root.api('GET', 'server-group')) as { group: { name: string } }[]
  expect(groups.map(({ group }) => group.name)).toEqual(['before', 'after'])
})

test('R-17 a data folder that is moved while the server runs is told of until it is back', async () => {
  const { program, health } = await start()
  renameSync(data, `${data}-moved`)
  await expect.poll(health).toContain('was removed or moved; put it back')
  renameSync(`${data}-moved`, data)
  await expect.poll(health).toBe('well')
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})
