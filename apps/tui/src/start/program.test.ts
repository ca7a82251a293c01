import { afterEach, describe, expect, test } from 'vitest'
import { english } from '../../../../tests/support/english.ts'
import { createTestIo, type TestIoOptions } from '../../../../tests/support/tui/io.ts'
import { good, type RecordingServer, type Reply, startRecordingServer } from '../../../../tests/support/tui/server.ts'
import { runProgram } from './program.ts'

const at = '2026-11-20T12:00:00Z'
const owner = { id: 1, username: 'admin', admin: true }
const servers = ['web-1', 'web-2', 'web-3'].map((name, index) => ({
  id: index + 1,
  name,
  created_at: at,
  updated_at: at,
  owner,
}))
const crons = ['nightly-backup', 'nightly-report'].map((name, index) => ({
  id: index + 7,
  name,
  task_type: 1,
  scheduler: '',
  command: 'true',
  cover: 0,
  servers: [1, 2],
  created_at: at,
  updated_at: at,
  owner,
}))
const run = {
  id: 5,
  kind: 'cron',
  cron_id: 7,
  name: 'nightly-backup',
  command: 'true',
  started_by: 'admin',
  created_at: at,
  updated_at: at,
  finished_at: at,
  counts: { sent: 0, running: 0, success: 1, failure: 1, no_answer: 0 },
  items: [],
  owner,
}
const world: Readonly<Record<string, Reply | readonly Reply[]>> = {
  profile: good({ id: 1, username: 'admin', role: 0, agent_secret: 's3cret', created_at: at, updated_at: at }),
  capabilities: good({ capabilities: ['runs', 'if-match', 'logout', 'user-edit', 'transfers', 'api-tokens'] }),
  setting: good({
    config: { site_name: 'Fleet', language: 'en-US', time_zone: 'UTC', user_template: 'user-dist', cover: 1 },
    version: '1',
  }),
  server: good(servers),
  'server-group': good([{ group: { id: 3, name: 'web', created_at: at, updated_at: at }, servers: [1], owner }]),
  cron: good(crons),
  run: good({ value: [run], pagination: { total: 1 } }),
  'run/5': good(run),
}

let server: RecordingServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function qd(line: string, options: TestIoOptions & { replies?: typeof world } = {}) {
  server ??= await startRecordingServer({ ...world, ...options.replies })
  const io = createTestIo({
    ...options,
    args: line.split(' '),
    env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', ...options.env },
  })
  const code = await runProgram(io)
  return { code, ...io.written(), io }
}

describe('C-10 C-11 exit codes and words of what went wrong', () => {
  const cases: readonly (readonly [string, string, Reply, number, RegExp])[] = [
    [
      'the server says no with status 200',
      'cron ls',
      { body: { error: 'database error' } },
      1,
      /^error: database error\n$/,
    ],
    [
      'not signed in',
      'cron ls',
      { body: { error: 'ApiErrorUnauthorized' } },
      4,
      /invalid API token[\s\S]*address http/,
    ],
    ['token refused', 'cron ls', { status: 401, body: { error: 'invalid token' } }, 4, /invalid API token/],
    [
      'scope missing',
      'cron ls',
      { status: 403, body: { error: 'token lacks scope nezha:cron:read' } },
      5,
      /nezha:cron:read/,
    ],
    [
      'an address that is no server',
      'cron ls',
      { status: 404, body: { error: '404 Not Found' } },
      1,
      /this server has no such endpoint/,
    ],
    ['a server that fails', 'cron ls --retries 0', { status: 500, body: {} }, 1, /error: /],
  ]
  test.each(cases)('%s', async (_name, line, reply, code, words) => {
    const ended = await qd(line, { replies: { cron: reply } })
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(words)
  })

  test('not found, ambiguous, partial', async () => {
    expect(await qd('cron get weekly')).toMatchObject({ code: 3 })
    const ambiguous = await qd('cron run nightly')
    expect(ambiguous).toMatchObject({ code: 2 })
    expect(ambiguous.stderr).toContain('nightly-backup (7), nightly-report (8)')
    expect(ambiguous.stderr).toContain('try: qd cron run 7')
    expect(
      await qd('cron run 7 --wait --yes', { replies: { 'POST cron/7/manual': good({ run_id: 5 }) } }),
    ).toMatchObject({ code: 1 })
  })
})

test('C-12 with --json an error is one object on stderr, in English, and stdout is empty', async () => {
  const { code, stdout, stderr } = await qd('cron get weekly --json name', { env: { QD_LANG: 'de-DE' } })
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    code: 'notFound',
    message: 'nothing matches “weekly”',
    status: null,
    hint: 'qd cron ls',
    request: null,
  })
})

test('C-14 a run of several servers: some failed is 6, and the evidence is named', async () => {
  const ended = await qd('cron run 7 --wait --json state,success,failure', {
    replies: { 'POST cron/7/manual': good({ run_id: 5 }) },
  })
  expect(ended).toMatchObject({ code: 6, stdout: '{"state":"partial","success":1,"failure":1}\n' })
  expect(server!.changes).toEqual([{ method: 'POST', path: 'cron/7/manual', body: undefined }])
})

test('C-14 a server without a run ledger: what the task did is not made up', async () => {
  const replies = { 'POST cron/7/manual': good(null) }
  const online = good(servers.map((row) => ({ ...row, last_active: new Date().toISOString() })))
  const ended = await qd('cron run 7 --wait --timeout 1ms', { replies: { ...replies, server: online } })
  expect(ended.code).toBe(7)
  expect(ended.stderr).toContain(english.t('ui.cli.run.noLedger'))
})

describe('C-18 confirmations', () => {
  test('asks on a terminal; no is the default and sends nothing', async () => {
    const ended = await qd('cron delete 7', { terminal: ['stdin', 'stdout', 'stderr'], input: '\n' })
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.stderr).toMatch(/nightly-backup \(7, triggered\)[\s\S]*\[y\/N\] Canceled; nothing was done/)
    expect(server!.changes).toEqual([])
  })
  test('yes goes on', async () => {
    await qd('cron delete 7', {
      terminal: ['stdin', 'stdout', 'stderr'],
      input: 'y\n',
      replies: { 'POST batch-delete/cron': good(null) },
    })
    expect(server!.changes).toEqual([{ method: 'POST', path: 'batch-delete/cron', body: [7] }])
  })
  test('--no-input never asks', async () => {
    const ended = await qd('cron delete 7 --no-input', { terminal: ['stdin', 'stdout', 'stderr'], input: 'y\n' })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('try: qd cron delete 7 --no-input --yes')
  })
  test('a run of more than ten servers needs a yes without a terminal', async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ id: index + 1, name: `web-${index + 1}`, owner }))
    const replies = { server: good(many), cron: good([{ ...crons[0], cover: 1, servers: [] }]) }
    const ended = await qd('cron run 7', { replies })
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.stderr).toContain('All servers (11), 11 offline')
    expect(server!.changes).toEqual([])
  })
})

describe('C-21 C-22 repetitions and limits', () => {
  const busy: Reply = { status: 503, body: {} }
  test('reading is repeated', async () => {
    const ended = await qd('cron ls --json id', { replies: { cron: [busy, busy, good(crons)] } })
    expect(ended).toMatchObject({ code: 0, stdout: '[{"id":7},{"id":8}]\n' })
  })
  test('--retries 0 does not', async () => {
    expect(await qd('cron ls --retries 0', { replies: { cron: [busy, good(crons)] } })).toMatchObject({ code: 9 })
    expect(server!.requests.filter(({ path }) => path === 'cron')).toHaveLength(1)
  })
  test('a run is never repeated', async () => {
    expect(await qd('cron run 7', { replies: { 'POST cron/7/manual': busy } })).toMatchObject({ code: 9 })
    expect(server!.changes).toHaveLength(1)
  })
  test('a server that never answers ends at the limit', async () => {
    const ended = await qd('cron ls --timeout 200ms', { replies: { cron: null } })
    expect(ended.code).toBe(7)
    expect(ended.stderr).toMatch(/no response within/)
  })
})

test.each([
  ['Ctrl+C', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('C-23 %s says what was sent, exit code %i', async (_, code) => {
  server = await startRecordingServer({ ...world, 'POST cron/7/manual': null })
  const io = createTestIo({ args: ['cron', 'run', '7'], env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' } })
  const running = runProgram(io)
  await expect.poll(() => server!.changes.length).toBe(1)
  io.interrupt(code)
  await expect.poll(() => io.exitCode).toBe(code)
  expect(io.written().stderr).toContain('POST /api/v1/cron/7/manual was sent; its result is unknown')
  await server.close()
  server = null
  await running
})

describe('C-16 what is chosen', () => {
  const cases = [
    ['--all', '[7,8]'],
    ['--ids 7,nightly-report', '[7,8]'],
    ['--select report', '[8]'],
    ['nightly-backup 8', '[7,8]'],
  ] as const
  test.each(cases)('%s', async (choice, ids) => {
    expect(await qd(`cron delete ${choice} --dry-run -q`)).toMatchObject({
      code: 0,
      stdout: `POST /api/v1/batch-delete/cron   ${ids}\n`,
    })
  })
  test.each([
    ['', 'error: missing argument: name\n  try: give names, or use --select, --ids, or --all\n'],
    ['7 --all', 'use only one of names, --select, --ids, and --all'],
    ['--select nobody', 'nothing matches'],
    ['--ids 7,99', 'nothing matches “99”'],
  ])('%s is refused', async (choice, words) => {
    const ended = await qd(`cron delete ${choice} --yes`.replaceAll('  ', ' '))
    expect(ended.stderr).toContain(words)
    expect([2, 3]).toContain(ended.code)
    expect(server!.changes).toEqual([])
  })
})

test('QD_OUTPUT chooses how lists are written', async () => {
  expect((await qd('server ls --limit 1 --sort -name', { env: { QD_OUTPUT: 'plain' } })).stdout).toMatch(
    /^id\tname\t[\s\S]*\n3\tweb-3\t.*\n$/,
  )
  expect(await qd('server ls', { env: { QD_OUTPUT: 'yaml' } })).toMatchObject({ code: 2 })
})

test('C-08 on a terminal the table fits its width and keeps the names', async () => {
  const ended = await qd('server ls', { terminal: ['stdout', 'stderr'], columns: 44 })
  for (const line of ended.stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(44)
  expect(ended.stdout).toMatch(/web-1[\s\S]*web-2[\s\S]*web-3/)
  expect(ended.stderr).toContain('3 of 3')
})

test('C-09 -v shows requests with secrets masked; --quiet leaves only errors', async () => {
  const files = { QD_TOKEN: '', QD_USER: 'admin', QD_PASSWORD: 'hunter22' }
  const replies = {
    'POST login': good({ token: 't', expire: '2030-01-01T00:00:00Z' }),
    'POST cron/7/manual': good({ run_id: 5 }),
  }
  const loud = await qd('server ls --json id -v', { env: files, replies })
  expect(loud.stderr).toContain('POST')
  expect(loud.stderr).not.toContain('hunter22')
  expect((await qd('cron run 7 -q --json id')).stderr).toBe('')
})

test('T-11 T-12 without a terminal on both sides the UI does not start', async () => {
  for (const terminal of [[], ['stdin'], ['stdout']] as const) {
    const io = createTestIo({ terminal })
    expect(await runProgram(io)).toBe(2)
    expect(io.written().stderr).toContain('try: qd --help')
  }
})
