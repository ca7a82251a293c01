import { afterEach, describe, expect, test, vi } from 'vitest'
import { createTestIo, type TestIoOptions } from '../../../../tests/support/tui/io.ts'
import { runQd } from '../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, type Reply, startRecordingServer } from '../../../../tests/support/tui/server.ts'
import { runProgram } from './program.ts'

const at = '2026-11-20T12:00:00Z'
const stamps = { created_at: at, updated_at: at, owner: { id: 1, username: 'admin', admin: true } }
const servers = ['web-1', 'web-2', 'win-1'].map((name, index) => ({
  id: index + 1,
  name,
  last_active: new Date().toISOString(),
  host: { platform: name.startsWith('win') ? 'Windows Server' : 'debian' },
  ...stamps,
}))
const counts = { waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0 }
const part = (server_id: number, state: string, more = {}) => ({
  server_id,
  server_name: servers[server_id - 1]!.name,
  state,
  ...more,
})
const run = {
  id: 5,
  kind: 'update',
  name: 'update',
  finished_at: at,
  counts: { ...counts, success: 1, failure: 1, no_answer: 1 },
  items: [
    part(1, 'success', { output: '1.0 -> 1.1' }),
    part(2, 'failure', { output: 'wrong hash' }),
    part(3, 'no_answer', { reason: 'offline' }),
  ],
  rollout: { canary: 1, batch: 1, max_failures: 0, state: 'stopped' },
  ...stamps,
}
const transfers = [1, 2, 3].map((id) => ({ id, server_id: id, status: 0, ...stamps }))
const world: Readonly<Record<string, Reply | readonly Reply[]>> = {
  capabilities: good({ capabilities: ['runs', 'exec', 'rollout', 'install', 'if-match', 'transfers'] }),
  server: good(servers),
  transfer: good(transfers),
  'run/5': good(run),
  'run/6': good({ ...run, id: 6, rollout: null, counts: { ...counts, failure: 12 }, items: [] }),
  'run/7': good({ ...run, id: 7, kind: 'exec', rollout: null }),
  'POST run/6/again': good({ run_id: 5 }),
  'POST run/7/again': good({ run_id: 5 }),
  'POST force-update/server': good({ run_id: 5, success: [1, 2], failure: [], offline: [3] }),
}

let server: RecordingServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function qd(args: readonly string[], options: TestIoOptions & { replies?: typeof world } = {}) {
  server ??= await startRecordingServer({ ...world, ...options.replies })
  return runQd({ ...options, args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', ...options.env } })
}

describe('C-05 --json', () => {
  test('without a value it is the whole answer; fields are written in the order they are named', async () => {
    const all = JSON.parse((await qd(['server', 'ls', '--json'])).stdout) as { name: string }[]
    const one = JSON.parse((await qd(['server', 'get', 'web-1', '--json'])).stdout) as object
    expect(Object.keys(one).slice(0, 4)).toEqual(['id', 'created_at', 'updated_at', 'name'])
    expect(all.find(({ name }) => name === 'web-1')).toEqual(one)
    expect((await qd(['server', 'ls', '--json', 'name,id', '--limit', '1', '--sort', 'id'])).stdout).toBe(
      '[{"name":"web-1","id":1}]\n',
    )
  })
  test('what is no record has fields too', async () => {
    expect((await qd(['whoami', '--json', 'role,token'])).stdout).toBe('{"role":"admin","token":null}\n')
    const add = ['profile', 'add', 'prod', 'http://a.example', '--json', 'name']
    expect((await qd(add)).stdout).toBe('{"name":"prod"}\n')
  })
  test.each([
    [['server', 'ls', '--json', 'nmae'], /unknown field nmae.*--json name/],
    [['whoami', '--json', 'rol'], /unknown field rol.*--json role/],
    [['profile', 'ls', '--json', 'crrent'], /unknown field crrent.*--json current/],
    [['exec', 'web-1', '--jsonl', 'stat', '--', 'true'], /unknown field stat.*state/],
  ])('%j is a usage error that names near ones', async (args, words) => {
    const ended = await qd(args)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(words)
    expect(server!.changes).toEqual([])
  })
})

test.each([
  [['get', 'server'], 'qd server get'],
  [['delete', 'server', 'web-1', 'web 2'], "qd server delete web-1 'web 2'"],
  [['delete', 'server', 'web-1', '--select', 'never'], 'qd server delete web-1'],
  [['describe', 'server', 'web-1'], 'qd server get web-1'],
  [['rm', 'server', 'web-1'], 'qd server delete web-1'],
  [['list', 'servers'], 'qd server ls'],
  [['list', 'processes'], 'qd process ls'],
  [['rm', 'tasks', 'backup'], 'qd cron delete backup'],
  [['stop', 'run', '5'], 'qd run stop 5'],
  [['create', 'server'], 'qd server --help'],
])('issue 18: %j in the order of kubectl says the line of ours', async (args, line) => {
  const ended = await qd(args)
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toContain(`unknown command ${args[0]} for qd`)
  expect(ended.stderr).toMatch(new RegExp(`try: ${line}\n`))
  expect(server!.requests).toEqual([])
})

describe('C-06 --jq and --template', () => {
  test('on a list, a record and a result', async () => {
    expect((await qd(['server', 'ls', '--jq', 'map(.name) | join(" ")'])).stdout).toBe('web-1 web-2 win-1\n')
    expect((await qd(['server', 'ls', '--template', '{{.id}}:{{.name}}', '--limit', '2'])).stdout).toBe(
      '1:web-1\n2:web-2\n',
    )
    expect((await qd(['server', 'ls', '--jsonl', 'id', '--jq', '.id'])).stdout).toBe('1\n2\n3\n')
    const line = ['server', 'force-update', 'web-1', '--yes', '--wait', '--jq', '.items | map(.state)']
    expect((await qd(line)).stdout).toBe('["success","failure","no_answer"]\n')
  })
  test.each([
    ['--jq', '.[', 'invalid filter “.[”\n  syntax error, unexpected end of file at column 2\n'],
    ['--jq', 'nosuch', 'invalid filter “nosuch”\n  nosuch/0 is not defined at column 1\n'],
    ['--template', '{{.x |}}', 'invalid filter “.x |”\n'],
  ])('%s %s is a usage error before anything is sent', async (flag, text, words) => {
    const ended = await qd(['server', 'force-update', 'web-1', flag, text])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(words)
    expect(server!.requests).toEqual([])
  })
  test.each([
    ['--jq', '.name'],
    ['--template', '{{.name}}'],
  ])('T-17 %s of records one a line has no power over a terminal', async (flag, text) => {
    const replies = { ...world, server: good([{ ...servers[0], name: 'a\u001b[31mb' }]) }
    const line = ['server', 'ls', '--jsonl', 'id,name', flag, text]
    expect((await qd(line, { replies, terminal: ['stdout'] })).stdout).toBe('a\\x1b[31mb\n')
    expect((await qd(line, { replies })).stdout).toBe('a\u001b[31mb\n')
    const object = ['server', 'ls', '--jsonl', 'id', '--jq', '.']
    expect((await qd(object, { replies, terminal: ['stdout'] })).stdout).toBe('{"id":1}\n')
  })
  test('a filter that does not fit the data says where', async () => {
    const ended = await qd(['server', 'ls', '--jq', '.name'])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain('can’t apply the filter “.name”\n  Cannot index array with string ("name")\n')
  })
})

describe('C-15 a forced update', () => {
  test('tells whom it reached, what came of each, and that the rollout was stopped', async () => {
    const line = ['server', 'force-update', '--all', '--canary', '1', '--batch', '1', '--max-fail', '0', '--wait']
    const ended = await qd([...line, '--yes'])
    expect(ended.code).toBe(6)
    expect(server!.changes[0]!.body).toEqual({ servers: [1, 2, 3], canary: 1, batch: 1, max_failures: 0 })
    expect(ended.stderr).toMatch(/1 sent: web-1\n.*1 offline when the run started: win-1\n.*1 failure: web-2\n/)
    expect(ended.stdout).toMatch(
      /web-2 +failure\n {2}wrong hash\n[\s\S]*win-1 +no answer[\s\S]*web-1 +success\n {2}1\.0 -> 1\.1/,
    )
    expect(ended.stderr).toContain('rollout stopped')
  })
  const fleet = {
    server: good(Array.from({ length: 12 }, (_, index) => ({ ...servers[0], id: index + 1, name: `web-${index}` }))),
  }
  const update = ['server', 'force-update']
  test.each([
    [[...update, '--all', '--yes'], "qd server force-update --all --yes --confirm '12 servers'"],
    [[...update, '--select', 'web', '--yes'], "qd server force-update --select web --yes --confirm '12 servers'"],
    [['run', 'again', '6', '--yes'], "qd run again 6 --yes --confirm '12 servers'"],
  ])('issue 36.21 %j: a whole fleet at once takes the words also with --yes', async (line, again) => {
    const ended = await qd(line, { replies: fleet })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(`try: ${again}\n`)
    expect(server!.changes).toEqual([])
    expect((await qd([...line, '--confirm', '12 server'])).code).not.toBe(2)
    expect(server!.changes).toHaveLength(1)
  })
  test.each([
    [[...update, '--all', '--batch', '5', '--yes'], 'steps'],
    [[...update, '--all', '--canary', '1', '--yes'], 'steps'],
    [[...update, '--ids', '1,2,3,4,5,6,7,8,9,10,11', '--yes'], 'all but one'],
    [['run', 'again', '7'], 'a command on two servers, which is not asked about when it is first run'],
  ])('issue 36.21 %j: %s go on as before', async (line) => {
    await qd(line, { replies: fleet })
    expect(server!.changes).toHaveLength(1)
  })
  test('issue 36.21 --soak is sent in seconds, asks for steps, and for a server that knows it', async () => {
    const line = [...update, '--all', '--yes', '--soak', '5m']
    expect(await qd([...line, '--batch', '1'])).toMatchObject({ code: 5, stdout: '' })
    await server!.close()
    server = null
    const replies = { capabilities: good({ capabilities: ['runs', 'rollout', 'soak'] }) }
    const bare = await qd(line, { replies })
    expect(bare.code).toBe(8)
    expect(bare.stderr).toContain('--soak: set the number of canary servers or the batch size first')
    await qd([...line, '--batch', '1'])
    expect(server!.changes.map(({ body }) => body)).toEqual([
      { servers: [1, 2, 3], canary: 0, batch: 1, soak: 300, max_failures: 0 },
    ])
  })

  test('N-08 Windows hosts are warned of by name', async () => {
    const { stderr } = await qd(['server', 'force-update', '--all', '--dry-run'])
    expect(stderr).toMatch(/warning: .*win-1/)
    expect(stderr).not.toContain('web-1,')
  })
  test('a server without a ledger: its three buckets', async () => {
    const replies = { 'POST force-update/server': good({ success: [1], offline: [3], failure: [2] }) }
    const ended = await qd(['server', 'force-update', '--all', '--yes'], { replies })
    expect(ended).toMatchObject({ code: 6 })
    expect(ended.stdout).toBe('sent: web-1\noffline when the run started: win-1\nfailure: web-2\n')
  })
})

describe('C-20 an action of one call each', () => {
  const replies = {
    'POST transfer/1/cancel': good(null),
    'POST transfer/2/cancel': { body: { error: 'database error' } },
    'POST transfer/3/cancel': good(null),
  }
  const calls = () => server!.changes.map(({ path }) => path)

  test('goes on after a failure, sums up and ends with 6', async () => {
    const ended = await qd(['transfer', 'cancel', '--all', '--yes'], { replies })
    expect(ended.code).toBe(6)
    expect(ended.stderr).toMatch(/error: .*\(2\): database error\n[\s\S]*2 done, 1 failed, 0 skipped/)
    expect(calls()).toEqual(['transfer/1/cancel', 'transfer/2/cancel', 'transfer/3/cancel'])
  })
  test('--fail-fast stops at the first', async () => {
    const ended = await qd(['transfer', 'cancel', '--all', '--yes', '--fail-fast', '--json'], { replies })
    expect(ended.code).toBe(6)
    expect(JSON.parse(ended.stdout)).toEqual({
      kind: 'done',
      changed: [1],
      removed: [],
      failed: [{ id: 2, code: 'failed' }],
      left: [3],
    })
    expect(calls()).toEqual(['transfer/1/cancel', 'transfer/2/cancel'])
  })
  test('issue 10.23 one that is refused beforehand stands in nobody’s way, and is named', async () => {
    const [first, ...others] = transfers
    const finished = {
      ...replies,
      transfer: good([{ ...first, status: 1 }, ...others]),
      'POST transfer/2/cancel': good(null),
    }
    const ended = await qd(['transfer', 'cancel', '--all', '--yes', '--json'], { replies: finished })
    expect(ended.code).toBe(6)
    expect(ended.stderr).toMatch(/error: .*\(1\): .*\n[\s\S]*2 done, 1 failed, 0 skipped/)
    expect(JSON.parse(ended.stdout)).toMatchObject({ changed: [2, 3], failed: [{ id: 1, code: 'blocked' }] })
    expect(calls()).toEqual(['transfer/2/cancel', 'transfer/3/cancel'])
  })
  test('--fail-fast stops at one that is refused beforehand, too', async () => {
    const [first, second, third] = transfers
    const finished = { ...replies, transfer: good([first, { ...second, status: 1 }, third]) }
    const ended = await qd(['transfer', 'cancel', '--all', '--yes', '--fail-fast', '--json'], { replies: finished })
    expect(ended.code).toBe(6)
    expect(JSON.parse(ended.stdout)).toEqual({
      ...{ kind: 'done', changed: [1], removed: [] },
      ...{ failed: [{ id: 2, code: 'blocked' }], left: [3] },
    })
    expect(calls()).toEqual(['transfer/1/cancel'])
  })
  test('a failure is printed when it happens, once', async () => {
    server = await startRecordingServer({ ...world, ...replies, 'POST transfer/3/cancel': null })
    const env = { QD_URL: server.url, QD_TOKEN: 'nzp_x' }
    const io = createTestIo({ args: ['transfer', 'cancel', '--all', '--yes'], env })
    const ends = runProgram(io)
    await vi.waitFor(() => expect(calls()).toHaveLength(3), 10_000)
    expect(io.written().stderr).toMatch(/error: .*\(2\): database error\n/)
    await server.close()
    server = null
    await ends
    expect(io.written().stderr.match(/\(2\): /g)).toHaveLength(1)
  })
  test('--json of what was done has the same members, however many records and whatever came of them', async () => {
    const rule = (id: number, enable: boolean) => ({ id, name: `rule ${id}`, enable, rules: [], ...stamps })
    const rules = {
      'alert-rule': good([rule(1, true), rule(2, false), rule(3, false)]),
      'DELETE alert-rule/1': good(null),
      'POST batch-delete/alert-rule': good(null),
    }
    const documentOf = async (line: string, more: typeof world = {}) => {
      const ended = await qd(`${line} --json`.split(' '), { replies: { ...rules, ...replies, ...more } })
      await server!.close()
      server = null
      return JSON.parse(ended.stdout)
    }
    const none = { kind: 'done', changed: [], removed: [], failed: [], left: [] }
    expect(await documentOf('transfer cancel 1 --yes')).toEqual({ ...none, changed: [1] })
    expect(await documentOf('transfer cancel 1 3 --yes')).toEqual({ ...none, changed: [1, 3] })
    expect(await documentOf('alert-rule delete 1 2 --yes')).toEqual({ ...none, removed: [1, 2] })
    expect(await documentOf('alert-rule enable 1')).toEqual(none)
    const moved = [
      { server_id: 1, status: 'pending' },
      { server_id: 2, status: 'is moving already' },
    ]
    const answers = { 'POST batch-move/server': good(moved), user: good([{ id: 2, username: 'kim' }]) }
    const failed = [{ id: 2, code: 'moveRefused' }]
    expect(await documentOf('server move web-1 web-2 --to-user 2 --yes', answers)).toEqual({
      ...none,
      changed: [1],
      failed,
    })
  })
  test('each record shows its own run, also if the server recorded none for another', async () => {
    const tasks = [1, 2, 3].map((id) => ({ id, name: `task ${id}`, cover: 0, servers: [1], ...stamps }))
    const done = { ...run, rollout: null, counts: { ...counts, success: 1 }, items: [part(1, 'success')] }
    const ended = await qd(['cron', 'run', '1', '2', '3', '--yes', '--json', 'id'], {
      replies: {
        cron: good(tasks),
        'run/5': good(done),
        'run/6': good({ ...done, id: 6 }),
        'POST cron/1/manual': good({ run_id: 5 }),
        'POST cron/2/manual': good({ run_id: null }),
        'POST cron/3/manual': good({ run_id: 6 }),
      },
    })
    expect(JSON.parse(ended.stdout)).toMatchObject([{ id: 5 }, {}, { id: 6 }])
  })
  test('issue 10.23 one call for all says for whom it was refused', async () => {
    const moved = [
      { server_id: 1, status: 'pending' },
      { server_id: 2, status: 'is moving already' },
    ]
    const ended = await qd(['server', 'move', 'web-1', 'web-2', '--to-user', '2', '--yes'], {
      replies: { 'POST batch-move/server': good(moved), user: good([{ id: 2, username: 'kim' }]) },
    })
    expect(ended.code).toBe(6)
    expect(ended.stderr).toMatch(/error: web-2 \(2\): .*is moving already\n1 done, 1 failed/)
  })
  test('one call that starts a run names whom it leaves out, and ends with 6', async () => {
    const [first, second] = servers
    const watched = { ...second, host: { platform: 'debian', watch_only: true } }
    const ended = await qd(['exec', 'web-1', 'web-2', '--', 'true'], {
      replies: {
        server: good([first, watched]),
        'POST exec': good({ run_id: 5, success: [1], failure: [], offline: [] }),
        'run/5': good({ ...run, rollout: null, counts: { ...counts, success: 1 }, items: [part(1, 'success')] }),
      },
    })
    expect(ended.stderr.match(/error: web-2 \(2\): ./g)).toHaveLength(1)
    expect(ended.code).toBe(6)
    expect(server!.changes.map(({ body }) => body)).toEqual([expect.objectContaining({ servers: [1] })])
  })
  test('a failure of all keeps its own exit code; it is asked once', async () => {
    const refused = { status: 403, body: { error: 'ApiErrorForbidden: permission denied' } }
    const none = Object.fromEntries(Object.keys(replies).map((call) => [call, refused]))
    const terminal = ['stdin', 'stdout', 'stderr'] as const
    const ended = await qd(['transfer', 'cancel', '--all'], { replies: none, terminal, input: 'y\n' })
    expect(ended.code).toBe(5)
    expect(ended.stderr.match(/\[y\/N\]/g)).toHaveLength(1)
  })
})

describe('C-21 what is repeated', () => {
  const busy: Reply = { status: 503, body: {} }
  test('a forced update, a command and a configuration never', async () => {
    const replies = { 'POST force-update/server': busy, 'POST exec': busy, 'POST server/config': busy }
    for (const line of [
      'server force-update web-1 --yes',
      'exec web-1 --command true',
      'server config web-1 --gpu yes',
    ])
      expect(await qd(line.split(' '), { replies })).toMatchObject({ code: 9 })
    expect(server!.changes).toHaveLength(3)
  })
  test('reading, also where the server itself fails', async () => {
    const failing: Reply = { status: 500, body: { error: 'x' } }
    const ended = await qd(['server', 'ls', '--json', 'id'], { replies: { server: [failing, good(servers)] } })
    expect(ended).toMatchObject({ code: 0, stdout: '[{"id":1},{"id":2},{"id":3}]\n' })
  })
})

test('C-12 why something is not possible is told to programs too', async () => {
  const ended = await qd(['transfer', 'retry', '1', '--yes', '--json'])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(JSON.parse(ended.stderr)).toMatchObject({
    code: 'blocked',
    message: expect.stringMatching(/^not possible right now: ./),
  })
})

test('an action that changes values and is given none shows them and sends nothing', async () => {
  const { code, stdout } = await qd(['server', 'public-note', 'web-1', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toHaveProperty('amount')
  expect(server!.changes).toEqual([])
})

test('C-27 where the password is wanted again it is asked in place, and the call is sent once more', async () => {
  const terminal = ['stdin', 'stdout', 'stderr'] as const
  const stepUp: Reply = { status: 403, body: { error: 'ApiErrorForbidden: step-up required', code: 'stepUpRequired' } }
  const ended = await qd(['exec', 'web-1', '--no-wait', '--', 'true'], {
    terminal,
    input: 'hunter22\n',
    replies: { 'POST exec': [stepUp, good({ run_id: 5 })], 'POST step-up': good(null) },
  })
  // The run of the replies reached two of its three servers.
  expect(ended.code).toBe(6)
  expect(server!.changes.map(({ path, body }) => [path, body])).toEqual([
    ['exec', { servers: [1], command: 'true', time_limit: 60 }],
    ['step-up', { password: 'hunter22' }],
    ['exec', { servers: [1], command: 'true', time_limit: 60 }],
  ])
})
