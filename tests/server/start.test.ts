import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { onlySqlite } from '../support/only-sqlite.ts'
import { startProgram } from '../support/program.ts'
import { serverProgram } from '../support/programs.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const password = 'a first password'
const start = (args: readonly string[] = [], environment: Record<string, string> = {}) =>
  startProgram(['--no-agent', '--port', '0', '--data', join(folder, 'data'), ...args], {
    QD_ADMIN_PASSWORD: password,
    ...environment,
  })

test('R-07 starts, says so, and ends in time with code 0 on SIGTERM and SIGINT', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const program = start()
    const origin = await program.ready()
    const browser = createBrowser(origin)
    expect((await browser.login('admin', password)).body.success).toBe(true)
    expect(readFileSync(join(folder, 'data/server.pid'), 'utf8').trim()).toBe(String(program.child.pid))
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700)
    const writes = Array.from({ length: 50 }, (_, n) =>
      browser.send('POST', '/api/v1/server-group', { body: { name: `g${n}` } }).catch(() => null),
    )
    const askedAt = Date.now()
    program.child.kill(signal)
    expect(await program.ended).toBe(0)
    expect(Date.now() - askedAt).toBeLessThan(5000)
    expect(() => statSync(join(folder, 'data/server.pid'))).toThrow()
    const answers = await Promise.all(writes)
    const kept = answers.filter((answer) => answer?.body?.success)
    const again = start()
    const after = createBrowser(await again.ready())
    await after.login('admin', password)
    const groups = ((await after.api('GET', 'server-group')) ?? []) as unknown[]
    expect(groups.length).toBeGreaterThanOrEqual(kept.length)
    again.child.kill('SIGTERM')
    await again.ended
  }
})

test('R-09 a second instance on the same folder is refused, and the first goes on', async () => {
  const first = start()
  const origin = await first.ready()
  const second = start()
  expect(await second.ended).toBe(2)
  expect(second.output.errors).toBe(
    `quarterdeck: another Quarterdeck server is already running on the data folder ${join(folder, 'data')}\n`,
  )
  expect((await createBrowser(origin).send('GET', '/healthz')).text).toBe('{"success":true}')
  first.child.kill('SIGKILL')
  await first.ended
  const third = start()
  await third.ready()
  third.child.kill('SIGTERM')
  expect(await third.ended).toBe(0)
})

test('the first start shows user and password in the line before the ready line', async () => {
  const program = startProgram(['--no-agent', '--port', '0', '--data', join(folder, 'data')])
  const origin = await program.ready()
  const [first, ready] = program.output.out.split('\n')
  const shown = /^First start: sign in as (\S+) with the password (\S+)$/.exec(first!)!
  expect(ready).toBe(`Quarterdeck is ready: ${origin}/dashboard`)
  expect((await createBrowser(origin).login(shown[1]!, shown[2]!)).body.success).toBe(true)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  // The ready line stays the last one for scripts; what to do next is for people, and only once.
  expect(program.output.out.trimEnd().split('\n')).toHaveLength(2)
  expect(program.output.errors.split('\n')).toContainEqual(
    expect.stringMatching(`^Next: .*qd login ${origin} --user admin, then qd server install --wait$`),
  )
  const again = start()
  await again.ready()
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
  expect(again.output.errors).not.toContain('Next:')
})

test('a start that could not listen does not use up the first password: the next one shows it', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as { port: number }
  const args = ['--no-agent', '--port', String(port), '--data', join(folder, 'data')]
  expect(await startProgram(args).ended).toBe(2)
  await new Promise((resolve) => other.close(resolve))
  const again = startProgram(args)
  const origin = await again.ready()
  const [, shown] = /^First start: sign in as admin with the password (\S+)$/m.exec(again.output.out) ?? []
  expect((await createBrowser(origin).login('admin', shown ?? '')).body.success).toBe(true)
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
})

test('issue 16: in front of a dashboard nothing is stored, and no agent runs', async () => {
  const before = start()
  const origin = await before.ready()
  const gateway = startProgram([
    '--port',
    '0',
    '--data',
    join(folder, 'other'),
    '--upstream',
    `${origin}/dashboard/login`,
  ])
  const through = createBrowser(await gateway.ready())
  expect((await through.login('admin', password)).body.success).toBe(true)
  expect(existsSync(join(folder, 'other'))).toBe(false)
  expect(gateway.output.errors).toContain(`in front of ${origin}: a dashboard of`)
  expect(await through.api('GET', 'server')).toBeNull()
  for (const program of [gateway, before]) {
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
  }
})

describe('what cannot start says why in one line, with code 2', () => {
  const refusals: [string, readonly string[], Record<string, string>, RegExp][] = [
    ['an unknown flag', ['--nope'], {}, /Unknown option '--nope'; to list flags: --help/],
    ['a word', ['serve'], {}, /Unexpected argument 'serve'/],
    ['a port that is none', ['--port', '70000'], {}, /the port must be a number from 0 to 65535, not 70000/],
    [
      'a dashboard that is no address',
      ['--upstream', 'monitor'],
      {},
      /--upstream must be the URL of a dashboard.*, not monitor/,
    ],
    ['the same as environment', [], { QD_UPSTREAM: 'ftp://x' }, /--upstream must be .*, not ftp:\/\/x/],
    ['a password in its address', ['--upstream', 'https://a:b@x'], {}, /contains a username or password/],
    ['its authority without it', ['--upstream-ca', 'x'], {}, /require --upstream URL/],
    [
      'an authority that is none',
      ['--upstream', 'https://x', '--upstream-ca', '/dev/null'],
      {},
      /is not a PEM certificate/,
    ],
    [
      'a header that has another use',
      ['--upstream', 'https://x', '--upstream-real-ip-header', 'Cookie'],
      {},
      /has another use/,
    ],
    [
      'a header that is none',
      ['--upstream', 'https://x', '--upstream-real-ip-header', 'a b'],
      {},
      /must be a header name/,
    ],
    [
      'a host that is none',
      ['--upstream', 'https://x', '--upstream-host', 'a/b'],
      {},
      /--upstream-host must be a hostname.*, not a\/b/,
    ],
    ['half of TLS', ['--tls-cert', 'x'], {}, /--tls-cert and --tls-key must be used together/],
    [
      'a certificate that is not there',
      ['--tls-cert', '/nowhere/x', '--tls-key', '/nowhere/y'],
      {},
      /cannot read \/nowhere\/x/,
    ],
    [
      'a short first password',
      [],
      { QD_ADMIN_PASSWORD: 'ééééé' },
      /QD_ADMIN_PASSWORD has 5 characters, 10 bytes; it must have at least 8 characters and at most 72 bytes/,
    ],
    [
      'issue 37.8 an agent secret that install commands would break',
      [],
      { QD_AGENT_SECRET: 'x;y' },
      /QD_AGENT_SECRET may contain only letters, digits, and/,
    ],
    ['an unknown log format', [], { QD_LOG: 'xml' }, /QD_LOG must be json or text, not xml/],
    ['another database', [], { DATABASE_URL: 'mysql://x' }, /DATABASE_URL must start with postgres:\/\//],
    [
      'a Postgres that does not answer',
      [],
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /cannot use the Postgres database in DATABASE_URL/,
    ],
    [
      'a folder that cannot be made',
      ['--data', '/dev/null/data'],
      {},
      /cannot write to the data folder \/dev\/null\/data/,
    ],
    ['an address that is not ours', ['--host', '192.0.2.1'], {}, /cannot listen on 192\.0\.2\.1/],
  ]
  test.each(refusals)('%s', async (_name, args, environment, words) => {
    const program = start(args, environment)
    expect(await program.ended).toBe(2)
    expect(program.output.out).toBe('')
    expect(program.output.errors).toMatch(/^quarterdeck: [^\n]+\n$/)
    expect(program.output.errors).toMatch(words)
  })

  test('a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const program = start(['--port', String(port)])
    expect(await program.ended).toBe(2)
    expect(program.output.errors).toBe(
      `quarterdeck: port ${port} on 127.0.0.1 is already in use; choose another one with --port\n`,
    )
    other.close()
  })

  onlySqlite('a database that is damaged is left as it is', async () => {
    const program = start()
    await program.ready()
    program.child.kill('SIGTERM')
    await program.ended
    const file = join(folder, 'data/quarterdeck.db')
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 0, 60_000)
    writeFileSync(file, bytes)
    const refused = start()
    expect(await refused.ended).toBe(2)
    expect(refused.output.errors).toMatch(
      /^quarterdeck: cannot read \S+quarterdeck\.db as a database \([^\n]+\); nothing was changed. Replace it with a backup, or move it away to start empty\n$/,
    )
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  test.each([
    ['an SQLite driver', 'better_sqlite3', '', /the SQLite driver [^\n]+apt-get install python3 make g\+\+/],
    [
      'an SQLite driver for another Node',
      'better_sqlite3',
      'was compiled against a different Node.js version using NODE_MODULE_VERSION 115.',
      /better-sqlite3 was built for a different major version of Node than this one \(v[\d.]+\)/,
    ],
    ['a password hashing', 'argon2', '', /cannot load the password hashing @node-rs\/argon2; run "npm ci"/],
  ])('%s that does not load here, on a folder that has its users', async (_name, part, reason, words) => {
    const before = start()
    await before.ready()
    before.child.kill('SIGTERM')
    await before.ended
    const preload = `const load = process.dlopen
      process.dlopen = function (module, file, ...rest) {
        if (file.includes('${part}')) throw new Error('${reason || 'Could not locate the bindings file.'}')
        return load.call(this, module, file, ...rest)
      }`
    const program = start([], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` })
    expect(await program.ended).toBe(2)
    expect(program.output.errors).toMatch(/^quarterdeck: [^\n]+\n$/)
    expect(program.output.errors).toMatch(words)
  })

  test.each(['start', 'test'])('npm %s where dependencies do not install, as without a compiler', (script) => {
    mkdirSync(join(folder, 'bin'))
    mkdirSync(join(folder, 'node_modules'))
    writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\necho "gyp ERR! not found: make" >&2\nexit 1\n', { mode: 0o755 })
    writeFileSync(join(folder, 'package-lock.json'), '{}')
    cpSync('scripts', join(folder, 'scripts'), { recursive: true })
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, `scripts/${script}.mjs`)], {
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
      /^error: npm ci failed, [^\n]+apt-get install -y python3 make g\+\+/,
    )
    expect(existsSync(join(folder, 'node_modules/.quarterdeck-install'))).toBe(false)
  })

  test('help is no failure', async () => {
    const program = start(['--help'])
    expect(await program.ended).toBe(0)
    expect(program.output.out).toContain('--tls-cert')
  })
})

test('issue 17: texts, tools and PostgreSQL are no part of what is loaded at the start, whose code V8 keeps in a byte a character', async () => {
  const loaded = new Set([await serverProgram()])
  for (const file of loaded)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+\.js)"/g))
      loaded.add(join(dirname(file), name!))
  const code = [...loaded].map((file) => readFileSync(file, 'latin1')).join('')
  expect(loaded.size).toBeGreaterThan(2)
  expect(code.length).toBeLessThan(2_000_000)
  expect(code.match(/.{0,40}[^\x00-\x7f]+/g) ?? []).toEqual([])
})
