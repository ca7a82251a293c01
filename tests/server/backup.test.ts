import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, expect } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { type Program, startProgram } from '../support/program.ts'
import { serverProgram } from '../support/programs.ts'

const password = 'correct horse battery'

let folder: string
let main: string
let programs: Program[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-backup-'))
  main = await serverProgram()
})
afterEach(async () => {
  for (const program of programs) {
    program.child.kill('SIGKILL')
    await program.ended
  }
  programs = []
  rmSync(folder, { recursive: true, force: true })
})

const at = (...names: string[]) => join(folder, ...names)

async function serve(data: string) {
  const program = startProgram(['--no-agent', '--port', '0', '--data', data], { QD_ADMIN_PASSWORD: password })
  programs.push(program)
  const browser = createBrowser(await program.ready())
  await browser.login('admin', password)
  const addGroup = (name: string) => browser.api('POST', 'server-group', { name, servers: [] })
  const groups = async () =>
    ((await browser.api('GET', 'server-group')) as { group: { name: string } }[]).map(({ group }) => group.name)
  const stop = async () => {
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
  return { addGroup, groups, stop }
}

/** Runs a command of the server's program to its end. */
function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

/** A data folder with the group `one`, and a backup of it. */
async function backedUp() {
  const server = await serve(at('data'))
  await server.addGroup('one')
  expect(run('backup', at('kept'), '--data', at('data')).status).toBe(0)
  return server
}

test('R-06 a backup beside a server that is written to holds one moment of it, and starts when it is restored', async () => {
  const server = await serve(at('data'))
  const acknowledged: string[] = []
  let isOver = false
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n += 1) {
      await server.addGroup(`group ${writer}-${n}`)
      acknowledged.push(`group ${writer}-${n}`)
    }
  }
  const writing = Promise.all([write(0), write(1)])
  await expect.poll(() => acknowledged.length).toBeGreaterThan(10)
  const before = [...acknowledged]
  const child = spawn(process.execPath, [main, 'backup', at('kept'), '--data', at('data')])
  expect((await once(child, 'exit'))[0]).toBe(0)
  const during = acknowledged.length
  isOver = true
  await writing
  expect(during).toBeGreaterThan(before.length)
  expect(run('check', at('kept'))).toEqual({
    status: 0,
    stdout: expect.stringMatching(
      /^backup\.json: ok \(made at 20.* by version .*\)\nquarterdeck\.db: ok \(\d+\.\d MiB\)/,
    ),
    stderr: '',
  })

  const restored = run('restore', at('kept'), '--data', at('elsewhere'))
  expect([restored.status, restored.stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/Restored \S+ to 20/)])
  const groups = await (await serve(at('elsewhere'))).groups()
  expect(groups).toEqual(expect.arrayContaining(before))
  // Each writer waits for its answer: what is there is what it wrote, without a gap.
  for (const writer of [0, 1]) {
    const mine = groups.filter((name) => name.startsWith(`group ${writer}-`)).length
    expect(groups).toEqual(expect.arrayContaining(Array.from({ length: mine }, (_, n) => `group ${writer}-${n}`)))
  }
})

test('a backup is for its owner only, is never written over another, and leaves nothing when there is no room', async () => {
  const server = await backedUp()
  expect(statSync(at('kept')).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(at('kept')))
    expect([name, statSync(at('kept', name)).mode & 0o777]).toEqual([name, 0o600])
  expect(run('backup', at('kept'), '--data', at('data'))).toMatchObject({
    status: 2,
    stderr: `quarterdeck: ${at('kept')} already exists; give a new folder for the backup`,
  })
  const full = spawnSync('prlimit', [
    '--fsize=4096',
    process.execPath,
    main,
    'backup',
    at('small'),
    '--data',
    at('data'),
  ])
  expect([full.status, `${full.stderr}`]).toEqual([2, expect.stringContaining('not enough space for the backup')])
  expect(readdirSync(folder).sort()).toEqual(['data', 'kept'])
  await server.stop()
})

test('restore puts back what was, keeps what it replaces, and refuses beside a running server', async () => {
  const server = await backedUp()
  await server.addGroup('two')
  expect(run('restore', at('kept'), '--data', at('data'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('another Quarterdeck server is already running'),
  })
  expect(await server.groups()).toEqual(['one', 'two'])
  await server.stop()

  expect(run('restore', at('kept'), '--data', at('data')).status).toBe(0)
  const replaced = new Driver(at('data', 'quarterdeck.db.before-restore'), { readonly: true })
  expect(replaced.prepare('select name from server_groups order by id').pluck().all()).toEqual(['one', 'two'])
  replaced.close()
  const again = await serve(at('data'))
  expect(await again.groups()).toEqual(['one'])
})

test('check names what is wrong, and a backup that is not whole is not restored', async () => {
  const server = await backedUp()
  await server.stop()
  expect(run('check', '--data', at('data'))).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^quarterdeck\.db: ok/),
  })

  const file = at('kept', 'quarterdeck.db')
  const whole = readFileSync(file)
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, 8192, 12_288)
  writeFileSync(file, damaged)
  expect(run('check', at('kept'))).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('quarterdeck.db: damaged: the SHA-256 differs'),
  })
  const before = readFileSync(at('data', 'quarterdeck.db'))
  expect(run('restore', at('kept'), '--data', at('data'))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/quarterdeck\.db: damaged: the SHA-256 differs; nothing was changed$/),
  })
  expect(readFileSync(at('data', 'quarterdeck.db')).equals(before)).toBe(true)
  writeFileSync(file, whole.subarray(0, 5000))
  expect(run('check', at('kept')).stdout).toContain(`5000 bytes instead of ${whole.length}`)
  rmSync(file)
  expect(run('check', at('kept')).stdout).toContain('quarterdeck.db: missing')
  const list = readFileSync(at('kept', 'backup.json'), 'utf8')
  for (const text of ['', '{', '[]', list.replace('quarterdeck.db', '../quarterdeck.db')]) {
    writeFileSync(at('kept', 'backup.json'), text)
    expect(run('restore', at('kept'), '--data', at('data')).stderr).toContain('backup.json is damaged; use another')
  }

  writeFileSync(at('data', 'quarterdeck.db'), damaged)
  expect(run('check', '--data', at('data'))).toMatchObject({ status: 1, stdout: expect.not.stringContaining(': ok') })
  writeFileSync(at('data', 'quarterdeck.db'), '')
  expect(run('check', '--data', at('data')).stdout).toContain('not a readable database: it is empty')
  expect(run('check', folder)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('neither a data folder nor a backup'),
  })
})

test('R-06 a restore that was interrupted: the server does not start on half of it, and the same command finishes it', async () => {
  const server = await backedUp()
  await server.addGroup('two')
  await server.stop()
  const [file, aside] = [at('data', 'quarterdeck.db'), at('data', 'quarterdeck.db.before-restore')]
  // As it is killed after the database took its place: what was there is put aside, the rest of the files are not yet exchanged.
  copyFileSync(file, aside)
  copyFileSync(at('kept', 'quarterdeck.db'), file)
  writeFileSync(at('data', 'restore-begun'), `${at('kept')}\n`)

  expect(run('--no-agent', '--port', '0', '--data', at('data'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`a restore of ${at('data')} was interrupted; run it again`),
  })
  expect(run('restore', at('kept'), '--data', at('data')).status).toBe(0)
  expect(existsSync(at('data', 'restore-begun'))).toBe(false)
  const replaced = new Driver(aside, { readonly: true })
  expect(replaced.prepare('select count(*) from server_groups').pluck().get()).toBe(2)
  replaced.close()
  expect(await (await serve(at('data'))).groups()).toEqual(['one'])
})

test('bad input: what is missing is said with an example, PostgreSQL has tools of its own', () => {
  expect(run('backup')).toMatchObject({ status: 2, stderr: expect.stringContaining('missing argument: a new folder') })
  expect(run('restore', '--data', folder)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('missing argument: a backup'),
  })
  expect(run('restore', folder, '--data', at('data'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not a backup'),
  })
  expect(run('backup', at('kept'), '--data', at('none'))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/quarterdeck\.db not found; give its folder with --data$/),
  })
  const postgres = spawnSync(process.execPath, [main, 'backup', at('kept')], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: 'postgres://localhost/qd' },
  })
  expect([postgres.status, postgres.stderr]).toEqual([2, expect.stringContaining('pg_dump')])
})

const asRoot = process.getuid?.() === 0 ? test : test.skip
asRoot('what root restores, backs up or begins in the data folder of a service belongs to its account', async () => {
  const server = await backedUp()
  await server.stop()
  const service = 65_534
  const owners = (data: string) =>
    Object.fromEntries(readdirSync(data).map((name) => [name, statSync(join(data, name)).uid]))
  const own = (data: string) => {
    for (const path of [data, ...readdirSync(data).map((name) => join(data, name))]) chownSync(path, service, service)
  }
  rmSync(at('data', 'last-backup'))
  rmSync(at('data', 'server.lock'))
  own(at('data'))
  expect(run('backup', at('again'), '--data', at('data')).status).toBe(0)
  expect(run('restore', at('kept'), '--data', at('data')).status).toBe(0)
  const found = owners(at('data'))
  expect(Object.keys(found)).toEqual(expect.arrayContaining(['last-backup', 'quarterdeck.db', 'server.lock']))
  expect(Object.entries(found).filter(([, uid]) => uid !== service)).toEqual([])
})
