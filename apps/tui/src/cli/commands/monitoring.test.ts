import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { cliText } from '../../../../../tests/support/english.ts'
import { createMonitoring } from '../../../../../tests/support/tui/monitoring.ts'
import { good, type Reply } from '../../../../../tests/support/tui/server.ts'

const { qd, close } = createMonitoring()
afterEach(close)

const done = good(1)

describe('secrets', () => {
  const input = 'https://chat.example.net/hunter2\n'
  const created = { 'POST notification': done }

  test('C-04 the needed one is asked for without echo where somebody can answer', async () => {
    const terminal = ['stdin', 'stdout', 'stderr'] as const
    const { code, changes, stdout, stderr } = await qd('notification create --name chat', {
      replies: created,
      terminal,
      input,
    })
    expect({ code, body: changes[0]?.body }).toMatchObject({ code: 0, body: { url: input.trim() } })
    expect(stdout + stderr).not.toContain('hunter2')
    expect(stderr).toMatch(/^URL: /)
  })
  test('what has lines is read whole, what has one line without its end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'qd-secrets-'))
    const header = join(folder, 'header')
    writeFileSync(header, '{\n "X-Key": "a"\n}\n')
    const args = ['--url-file', '-', '--request-header-file', header]
    const { changes } = await qd('notification create --name chat', { replies: created, input, args })
    expect(changes[0]?.body).toMatchObject({
      url: input.trim(),
      request_header: '{\n "X-Key": "a"\n}',
      request_body: '',
    })
  })
  test('--clear sends null for each, and says so in a dry run', async () => {
    const replies = { 'PATCH notification/1': done }
    const { changes } = await qd('notification edit chat --clear request-header,request_body', { replies })
    expect(changes[0]?.body).toMatchObject({ url: '', request_header: null, request_body: null })
    const { stdout } = await qd('notification edit chat --clear request-body --dry-run')
    expect(stdout).toContain('"request_body":null')
  })
  test('C-17 neither a dry run nor -v tells one', async () => {
    const told = await qd('notification create --name chat --url-file - --dry-run -v', { input })
    expect(told.stdout + told.stderr).not.toContain('hunter2')
    expect(told.stdout).toContain('"url":"••••••"')
  })
  test('a record says which it has', async () => {
    const { stdout } = await qd('notification get 1')
    expect(stdout).toMatch(/^url +set$/m)
    expect(stdout).toMatch(/^request_header +set$/m)
    expect(stdout).toMatch(/^request_body +null$/m)
    const person = await qd('notification get 1', { terminal: ['stdout'] })
    expect(person.stdout).toMatch(/^URL +set$/m)
    expect(person.stdout).toMatch(/^Body +not set$/m)
  })
  test('issue 12.9: what is stored is read again, without what is secret in it', async () => {
    const { stdout } = await qd('notification get 1')
    expect(stdout).toMatch(/^masked_header +\{"X-Key": "••••••"\}$/m)
    const person = await qd('notification get 1', { terminal: ['stdout'] })
    expect(person.stdout).toMatch(/Stored headers\s+\{"X-Key": "••••••"\}/)
  })
  test('a server that cannot clear one is not asked to', async () => {
    const replies = { capabilities: good({ capabilities: [] }), 'PATCH notification/1': done }
    const { code, changes, stderr } = await qd('notification edit chat --clear request-body', { replies })
    expect({ code, changes, stderr }).toEqual({
      code: 5,
      changes: [],
      stderr: `error: ${cliText('errors.unsupported')}\n`,
    })
  })
})

describe('N-03 a selection says which servers are meant', () => {
  test.each<[string, string, object]>([
    ['service create --name n --target https://example.net', 'POST service', { cover: 1, skip_servers: { 1: true } }],
    ['service edit 1', 'PATCH service/1', { cover: 1, skip_servers: { 1: true } }],
    ['service edit 1 --cover all-except', 'PATCH service/1', { cover: 0, skip_servers: { 1: true } }],
    [
      'cron create --name n --command true --task-type triggered --cover all-except',
      'POST cron',
      { cover: 1, servers: [1] },
    ],
    [
      'maintenance-window create --name n --starts-at now --ends-at +1h',
      'POST maintenance-window',
      { cover: 1, servers: [1] },
    ],
    ['server-group create --name n', 'POST server-group', { servers: [1] }],
    [
      'alert-rule create --name n --rules offline;swap>50',
      'POST alert-rule',
      {
        rules: [
          { type: 'offline', duration: 10, cover: 1, ignore: { 1: true } },
          { type: 'swap', max: 50, duration: 10, cover: 1, ignore: { 1: true } },
        ],
      },
    ],
  ])('%s', async (words, call, body) => {
    const { code, changes, stderr } = await qd(words, { replies: { [call]: done }, args: ['--select', 'group:web'] })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(`${changes[0]!.method} ${changes[0]!.path}`).toBe(call)
    expect(changes[0]!.body).toMatchObject(body)
    expect(stderr.split('\n')[0]).toMatch(/^(Only web-1|All servers except 1 \(1\), 1 offline)$/)
  })

  test('a dry run names the servers', async () => {
    const args = ['--select', 'web-1 or db-1', '--dry-run', '--json']
    const { stdout } = await qd('service edit 1', { args })
    expect(JSON.parse(stdout).targets).toEqual({
      online: [{ id: 1, name: 'web-1' }],
      offline: [{ id: 2, name: 'db-1' }],
    })
  })
})

describe('reports', () => {
  const told = (...parts: boolean[]) =>
    good({
      told: parts.map((ok, index) => ({
        ...{ notification_id: index, name: `n${index}`, at: '2026-11-20T12:00:00Z', ok },
        error: ok ? '' : 'refused',
      })),
    })
  test.each<[string, Reply, number, string]>([
    ['all', told(true, true), 0, 'Test message sent to n0\nTest message sent to n1\n'],
    ['some', told(true, false), 6, 'Test message sent to n0\nCouldn’t notify n1: refused\n'],
    ['none', told(false), 1, 'Couldn’t notify n0: refused\n'],
    ['nobody', told(), 1, 'Its notification group has no notifiers\n'],
  ])('a test message that reached %s', async (_name, reply, code, stdout) => {
    const replies = { 'POST alert-rule/1/test': reply }
    const found = await qd('alert-rule test 1 --server web-1', { replies })
    expect(found).toMatchObject({ code, stdout })
    expect(found.changes[0]!.body).toEqual({ server_id: 1 })
  })
  test('one that was not taken is an error', async () => {
    const replies = { 'POST notification/1/test': { body: { success: false, error: '500@500' } } }
    expect(await qd('notification test chat', { replies })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'error: 500@500\n',
    })
  })
  test('--json is the answer as it came', async () => {
    const replies = { 'POST notification/1/test': good({ status: 204, ms: 38, host: 'a' }) }
    expect((await qd('notification test chat --json', { replies })).stdout).toBe('{"status":204,"ms":38,"host":"a"}\n')
  })
  test('a back-test that found servers is no failure', async () => {
    const answer = {
      servers: 2,
      with_data: 2,
      without: [],
      fired: [{ server_id: 1, server_name: 'web-1', from: '2026-11-20T12:00:00Z', to: null }],
    }
    const { code, stdout } = await qd('alert-rule backtest 1', {
      replies: { 'POST alert-rule/backtest': good(answer) },
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Would have fired on 1 server\nweb-1: since /)
  })
})

describe('P-22 what waits elsewhere is sent at once', () => {
  test('switches, a call for each; the failure of one does not keep the others', async () => {
    const replies = { 'PATCH alert-rule/2': done, 'PATCH alert-rule/1': { body: { success: false, error: 'no' } } }
    const { code, changes, stderr } = await qd('alert-rule disable busy-1 busy-2', { replies })
    expect(changes.map(({ path, body }) => [path, (body as { enable: boolean }).enable])).toEqual([
      ['alert-rule/1', false],
      ['alert-rule/2', false],
    ])
    expect(code).toBe(6)
    expect(stderr).toContain('error: busy-1 (1): no')
  })
  test('an order', async () => {
    const replies = { 'PATCH service/1': done, 'PATCH service/2': done }
    const { code, changes } = await qd('service move-up site-2', { replies })
    expect(code).toBe(0)
    expect(changes.map(({ path, body }) => [path, (body as { display_index: number }).display_index])).toEqual([
      ['service/2', 2],
      ['service/1', 1],
    ])
  })
})

test('the server looks for the states of incidents; ids choose of what it found', async () => {
  const { asked, stdout } = await qd('incident ls --state open,acknowledged --ids 1 --json name')
  expect(asked).toContain('incident?limit=1000000&id=1')
  expect(stdout).toBe('[{"name":"busy"}]\n')
  expect((await qd('incident ls --state closed --ids 1 --json name')).stdout).toBe('[]\n')
  expect((await qd('incident ls --state open,closed --json name')).asked).toContain(
    'incident?limit=1000000&state=open%2Cclosed',
  )
})

test('a copied line that names ids works', async () => {
  const { stdout } = await qd('alert-rule ls --ids 2,1 --json name')
  expect(stdout).toBe('[{"name":"busy-1"},{"name":"busy-2"}]\n')
})

describe('an existing dashboard', () => {
  const gone: Reply = { status: 404, body: { error: '404 Not Found' } }
  const replies = { capabilities: gone, incident: gone, 'maintenance-window': gone }
  test.each([
    'alert-rule test 1',
    'alert-rule backtest 1',
    'service check 1',
    'notification test 1',
    'incident ls --json id',
    'incident ack 1',
    'maintenance-window create --name n --starts-at now --ends-at +1h',
    'server events web-1',
  ])('cannot do %s, and is not asked to', async (words) => {
    const { code, changes, stdout, stderr } = await qd(words, { replies })
    expect({ code, changes, stdout }).toEqual({ code: 5, changes: [], stdout: '' })
    expect(stderr).toMatch(/this server doesn’t support that|not possible right now\n {2}not supported by this server/)
  })
  test('keeps its rules as it knows them', async () => {
    const off = good([
      { id: 1, name: 'busy', enable: false, rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }] },
    ])
    const { changes } = await qd('alert-rule enable 1', {
      replies: { ...replies, 'alert-rule': off, 'PATCH alert-rule/1': done },
    })
    expect(changes[0]).toMatchObject({ method: 'PATCH', path: 'alert-rule/1', body: { enable: true, name: 'busy' } })
  })
})

describe('issue 12.11: what reaches no server is said before it is saved', () => {
  const idle = 'warning: It targets no servers, so it does nothing.'
  const lines = [
    ['cron create --name n --command true --task-type scheduled --scheduler @hourly --servers none', 'POST cron'],
    ['maintenance-window create --name n --starts-at now --ends-at +1h --servers none', 'POST maintenance-window'],
    ['service edit 1 --cover only-listed --skip-servers none', 'PATCH service/1'],
  ] as const

  test.each(lines)('a script is told on stderr and goes on: %s', async (words, call) => {
    const { code, changes, stderr } = await qd(words, { replies: { [call]: done } })
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(idle) })
    expect(changes).toHaveLength(1)
  })

  test.each([
    ['n', 1, 0],
    ['y', 0, 1],
  ])('at a terminal it is asked, and %s is heeded', async (answer, expected, sent) => {
    const [[words, call]] = lines
    const asked = { replies: { [call]: done }, terminal: ['stdin', 'stderr'] as const, input: `${answer}\n` }
    const { code, changes, stderr } = await qd(words, asked)
    expect(stderr).toContain(`${idle}\nSave anyway? [y/N]`)
    expect({ code, sent: changes.length }).toEqual({ code: expected, sent })
  })

  test('what reaches somebody is saved without a word, and a dry run says it too', async () => {
    const some = await qd('cron edit 1 --command false', { replies: { 'PATCH cron/1': done } })
    expect(some.stderr).not.toContain(idle)
    expect(some.changes).toHaveLength(1)
    const dry = await qd(`${lines[0][0]} --dry-run`)
    expect(dry.stderr + dry.stdout).toContain('It targets no servers')
    expect(dry.changes).toHaveLength(1)
  })
})

describe('issue 12, beyond: an incident with all that happened in its time', () => {
  test('get tells it in order, for a person', async () => {
    const { stdout } = await qd('incident get 1', { terminal: ['stdout'], columns: 120 })
    expect(stdout.slice(stdout.indexOf('Timeline'))).toMatch(
      /^Timeline\n +\S.*Incident opened\n +\S.*chat: refused {2}not sent\n +\S.*alice: looks like the disk\n +\S.*Incident closed\n/,
    )
  })

  test.each([
    ['incident note 1', ['replaced the disk']],
    ['incident note 1 --text', ['replaced the disk']],
  ])('%s adds a note', async (words, args) => {
    const { code, changes } = await qd(words, { args, replies: { 'POST incident/1/note': done } })
    expect({ code, changes }).toMatchObject({
      code: 0,
      changes: [{ method: 'POST', path: 'incident/1/note', body: { text: 'replaced the disk' } }],
    })
  })

  test.each([
    ['incident note 1 --text one', ['two'], 2],
    ['incident note 1', [' '], 8],
    ['incident note 1', [], 2],
  ])('%s %j is refused, and nothing is sent', async (words, args, expected) => {
    const { code, changes, stderr } = await qd(words, { args })
    expect({ code, changes, stderr }).toEqual({
      code: expected,
      changes: [],
      stderr: expect.stringContaining('--text'),
    })
  })
})

const task = { id: 1, name: 'restart', task_type: 0, scheduler: '@daily', command: 'true', servers: [1, 2] }
const reading = { metric: 'memory', value: 13.117355096553684, limit: 1 }
const busy = { id: 1, name: 'busy', state: 'open', opened_at: '2026-11-20T12:00:00Z', reading }

test.each<[string, string, Record<string, Reply>]>([
  ['service ls', 'all', {}],
  ['server-group ls', 'web-1', {}],
  ['cron ls', 'web-1,db-1', { cron: good([{ ...task, cover: 0 }]) }],
  ['cron ls', 'all except web-1,db-1', { cron: good([{ ...task, cover: 1 }]) }],
  ['cron ls', 'alert', { cron: good([{ ...task, task_type: 1, cover: 2 }]) }],
  ['incident ls', 'memory 13.12 limit 1', { incident: good({ value: [busy], pagination: { total: 1 } }) }],
])('issue 36.40 in a pipe %s says %s', async (command, words, replies) => {
  const { stdout } = await qd(command, { replies })
  expect(stdout).toContain(`  ${words}`)
  expect(stdout).not.toContain('{')
})

test('issue 36.40 a schedule that never comes is refused before anything is sent', async () => {
  const { code, stderr, changes } = await qd('cron create --name never --command true --servers web-1', {
    args: ['--scheduler', '0 0 0 31 2 *'],
  })
  expect({ code, changes }).toMatchObject({ code: 8, changes: [] })
  expect(stderr).toContain('never runs')
})
