import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient, createCookieJar } from '@qd/core/api'
import { createTerminalSession, readPaste } from '@qd/core/shells'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Replay, startReplay } from '../../../../tests/support/replay/dashboard.ts'
import { createTestIo } from '../../../../tests/support/tui/io.ts'
import { signedIn } from '../../../../tests/support/tui/nezha.ts'
import { createOpenSocket } from '../base/connect/socket.ts'
import { createFetch } from '../base/connect/transport.ts'
import { runProgram } from './program.ts'

afterEach(() => vi.useRealTimers())

const callsOf = (dash: Replay, part: string) => dash.calls().filter((call) => call.includes(part))
const noAnswer = JSON.stringify({ error: '404 Not Found' })

/** Core’s client at the dashboard, signed in. */
async function clientAt({ url }: Replay): Promise<Client> {
  const ports = { ...createTestIo(), fetch: createFetch({}) }
  const client = createClient({ ports, baseUrl: url, credentials: { kind: 'jar', jar: createCookieJar() } })
  await client.login('admin', 'admin')
  return client
}

/** Every text that was kept in the folder. */
function keptIn(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return paths
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}

describe('a task is not run twice', () => {
  test.each([
    ['where the version has POST, no route is no reason to try GET', 'v2.3.7', 404, noAnswer],
    ['nor is the page of a front end', 'v2.0.14', 200, '<!doctype html><title>x</title>'],
    ['nor is any other refusal', 'v2.0.13', 200, JSON.stringify({ error: 'permission denied' })],
  ])('%s', async (_name, version, status, body) => {
    const { dash, qd } = await signedIn({ version })
    dash.answersWith((request, response) =>
      request.url!.includes('manual') ? void response.writeHead(status).end(body) : 'as ever',
    )
    expect((await qd(['cron', 'run', 'hourly'])).code).not.toBe(0)
    expect(callsOf(dash, 'manual')).toEqual(['POST cron/1/manual'])
  })

  test.each([
    [404, noAnswer],
    [405, ''],
    [200, '<!doctype html><title>x</title>'],
  ])('an older one that answers POST with %i is asked by GET', async (status, body) => {
    const { dash, qd } = await signedIn({ generation: 1 })
    dash.expects('crons', 'run: ok')
    dash.answersWith(({ method, url }, response) =>
      method === 'POST' && url!.includes('manual') ? void response.writeHead(status).end(body) : 'as ever',
    )
    expect((await qd(['cron', 'run', 'hourly'])).code).toBe(0)
    expect(callsOf(dash, 'manual')).toEqual(['POST cron/1/manual', 'GET cron/1/manual'])
  })
})

describe.each([1, 2] as const)('contract drift: a dashboard of %i.x', (generation) => {
  test('files are asked for with the verb that it knows', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects('terminal-file', 'file: ok')
    expect((await qd(['files', 'ls', '1:/tmp/fx/home'])).code).toBe(0)
    expect(callsOf(dash, 'file?id=1')).toEqual(
      generation === 1 ? ['POST file?id=1', 'GET file?id=1'] : ['POST file?id=1'],
    )
  })

  test('a sign-in is prolonged at half of its life, once, with the verb that it knows', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const dash = await startReplay({ generation })
    const client = await clientAt(dash)
    const read = async () => {
      await client.send({ method: 'GET', path: 'server' })
      await client.idle()
    }
    await read()
    expect(callsOf(dash, 'refresh')).toEqual([])
    vi.setSystemTime(Date.now() + 31 * 60_000)
    await read()
    const once = generation === 1 ? ['POST refresh-token', 'GET refresh-token'] : ['POST refresh-token']
    expect(callsOf(dash, 'refresh')).toEqual(once)
    await read()
    expect(callsOf(dash, 'refresh')).toEqual(once)
  })

  test('a refused refresh is not repeated with each call', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const dash = await startReplay({ generation })
    const client = await clientAt(dash)
    dash.answersWith(({ url }, response) =>
      url!.includes('refresh') ? void response.end('{"error":"ApiErrorUnauthorized"}') : 'as ever',
    )
    vi.setSystemTime(Date.now() + 31 * 60_000)
    for (let call = 0; call < 5; call++) {
      await client.send({ method: 'GET', path: 'server' })
      await client.idle()
    }
    expect(callsOf(dash, 'refresh')).toEqual(['POST refresh-token'])
  })

  test('a change carries the token against forgery where there is one, reading does not', async () => {
    const { dash, qd } = await signedIn({ generation })
    const seen: [string, boolean][] = []
    dash.answersWith(({ method, url, headers }) => {
      if (url!.endsWith('/nat')) seen.push([method!, headers['x-csrf-token'] !== undefined])
      return 'as ever'
    })
    dash.expects('nat', 'delete: ok')
    expect((await qd(['nat', 'rm', '1', '2', '--yes'])).code).toBe(0)
    expect(seen).toContainEqual(['GET', false])
    expect(seen.at(-1)).toEqual(['POST', generation === 2])
  })

  test('a role that is not sent is that of an administrator, and the server decides what anybody may', async () => {
    const admin = await signedIn({ generation })
    expect(JSON.parse((await admin.qd(['whoami', '--json', 'role'])).stdout)).toEqual({ role: 'admin' })
    const { dash, qd } = await signedIn({ generation, as: 'member' })
    for (const entity of ['user', 'waf', 'online-user']) {
      await qd([entity, 'ls'])
      expect(callsOf(dash, `GET ${entity}`)).not.toEqual([])
    }
  })

  test('a hash of a password is neither shown nor kept', async () => {
    const dash = await startReplay({ generation })
    const { home } = createTestIo()
    const told: string[] = []
    for (const words of [
      ['login', dash.url, '--user', 'admin', '--password-file', '-'],
      ['whoami', '--json', '-v'],
      ['user', 'ls', '--json', '-v'],
      ['user', 'get', '1'],
      ['export'],
    ]) {
      const io = createTestIo({ args: words, home, input: 'admin' })
      await runProgram(io)
      told.push(io.written().stdout, io.written().stderr)
    }
    expect(told.join('')).toMatch(/"username":"admin"|"username": "admin"/)
    expect(told.join('')).not.toContain('$2a$10$')
    expect(keptIn(home)).not.toContain('$2a$10$')
  })

  test('a notifier needs its address when it is made, and not when it is edited', async () => {
    const { dash, qd } = await signedIn({ generation })
    const made = await qd(['notification', 'create', '--name', 'x'])
    expect([made.code, made.stderr]).toEqual([8, expect.stringContaining('--url-file: required')])
    expect(callsOf(dash, 'POST notification')).toEqual([])
  })

  test('a service is hidden from guests by the one name that it knows', async () => {
    const { dash, qd } = await signedIn({ generation })
    // The replay knows one of the two names only.
    dash.expects('services', 'edit: ok', {
      with: { duration: 30, ...(generation === 1 ? { enable_show_in_service: false } : { hide_for_guest: true }) },
    })
    expect((await qd(['service', 'edit', '3', '--name', 'icmp', '--every', '30s', '--hide-for-guest'])).code).toBe(0)
  })

  test('what it can do is asked for once, and its version only where it counts', async () => {
    const dash = await startReplay({ generation })
    const client = await clientAt(dash)
    const first = await client.capabilities()
    const later = ['api-tokens', 'host-names', 'mcp', 'service-order', 'transfers']
    expect([...first].sort()).toEqual([...(generation === 1 ? [] : later), 'service-results'].sort())
    await client.capabilities()
    expect(callsOf(dash, 'GET capabilities')).toHaveLength(1)
    expect(callsOf(dash, 'GET transfer')).toHaveLength(1)
    expect(callsOf(dash, 'GET setting')).toEqual([])
    dash.expects('crons', 'run: ok')
    dash.expects('crons', 'run: ok')
    for (let time = 0; time < 2; time++) await client.send({ method: 'POST', path: 'cron/1/manual' })
    expect(callsOf(dash, 'GET setting')).toHaveLength(generation === 1 ? 1 : 0)
    expect(callsOf(dash, 'POST cron')).toHaveLength(generation === 1 ? 1 : 2)
  })

  test('keys and sizes of a shell go in frames that it takes; a paste of 512 KiB goes in pieces', async () => {
    const dash = await startReplay({ generation })
    const client = await clientAt(dash)
    dash.expects('terminal-file', 'terminal: ok')
    const states: string[] = []
    const shell = createTerminalSession({
      server: 1,
      api: client,
      ports: { ...createTestIo(), openSocket: createOpenSocket({}) },
      baseUrl: dash.url,
      headers: () => client.socketHeaders(),
      capabilities: () => client.capabilities(),
      size: { cols: 0, rows: 0 },
      onOutput: () => undefined,
      onState: ({ status }) => states.push(status),
      onDivider: () => undefined,
    })
    shell.start()
    await expect.poll(() => states).toContain('live')
    const paste = readPaste('x'.repeat(512 * 1024), { bracketed: false })
    expect(shell.paste(paste, { bracketed: false })).toBe(true)
    await expect.poll(() => dash.streams.typed()).toBe(512 * 1024)
    shell.close()
  })

  test('too many shells and file windows are said to be that', async () => {
    const { dash, qd } = await signedIn({ generation, as: 'member' })
    dash.expects('terminal-file', 'file: also counted together')
    const { code, stderr } = await qd(['files', 'ls', '3:/'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: too many shells and file managers are open[\s\S]*close/i),
    ])
  })
})

describe('CSRF', () => {
  test('a stale token is replaced once, by a cheap reading call', async () => {
    const { dash, qd } = await signedIn()
    dash.forgetsCsrf()
    dash.expects('nat', 'delete: ok')
    expect((await qd(['nat', 'rm', '1', '2', '--yes'])).code).toBe(0)
    const calls = dash.calls()
    const at = calls.indexOf('POST batch-delete/nat')
    expect(calls.slice(at, at + 3)).toEqual(['POST batch-delete/nat', 'GET profile', 'POST batch-delete/nat'])
  })

  test('a second refusal is told, and nothing is tried for ever', async () => {
    const { dash, qd } = await signedIn()
    dash.answersWith(({ method }, response) =>
      method === 'POST'
        ? void response.writeHead(403).end('{"error":"ApiErrorForbidden: missing or invalid CSRF token"}')
        : 'as ever',
    )
    const { code, stderr } = await qd(['nat', 'rm', '1', '2', '--yes'])
    expect([code, stderr]).toEqual([5, expect.stringContaining('couldn’t verify that this request came from you')])
    expect(callsOf(dash, 'POST batch-delete')).toHaveLength(2)
  })

  test('an API token needs neither cookies nor that token', async () => {
    const dash = await startReplay()
    dash.answersWith(({ headers }) => {
      expect([headers.cookie, headers['x-csrf-token']]).toEqual([undefined, undefined])
      return 'as ever'
    })
    dash.expects('nat', 'delete: ok')
    const env = { QD_URL: dash.url, QD_TOKEN: `nzp_${'p'.repeat(32)}` }
    const io = createTestIo({ args: ['nat', 'rm', '1', '2', '--yes'], env })
    expect([await runProgram(io), io.written().stderr]).toEqual([0, expect.not.stringContaining('error')])
  })
})
