import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestIo, type TestIo } from '../../../../../../tests/support/tui/io.ts'
import { admin, createWorld, type World } from '../../../../../../tests/support/world.ts'
import { runProgram } from '../../../start/program.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world?.close())

async function qd(
  args: readonly string[],
  options: { input?: string; env?: Record<string, string>; io?(io: TestIo): void } = {},
) {
  const env = { QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password, ...options.env }
  const io = createTestIo({ args, env, ...(options.input !== undefined && { input: options.input }) })
  options.io?.(io)
  const code = await runProgram(io)
  return { code, ...io.written() }
}

const apply = (text: string, ...flags: string[]) => qd(['apply', '-', ...flags], { input: text })
const diff = (text: string, ...flags: string[]) => qd(['diff', '-', ...flags], { input: text })
const list = async (entity: string) => JSON.parse((await qd([entity, 'ls', '--json'])).stdout)

const fleet = `quarterdeck: 1
notification:
  - name: Hook
    url: https://hooks.example.net/x
    request_method: POST
    request_body: '{"text": "#NEZHA#"}'
notification-group:
  - name: night
    notifications: [Hook]
cron:
  - name: backup
    task_type: scheduled
    scheduler: 0 0 3 * * *
    command: |
      tar czf /srv/a.tgz /etc
      sync
    cover: allExcept
    servers: [web-2]
    notification_group_id: night
alert-rule:
  - name: busy
    rules:
      - {type: cpu, max: 90, duration: 10, cover: 1, ignore: {web-1: true}}
    notification_group_id: night
    fail_trigger_tasks: [mend]
  - name: gone
    rules: [{type: offline, duration: 20, cover: 0}]
server-group:
  - name: web
    servers: [web-1, web-2]
service:
  - name: shop
    type: tcp
    target: shop.example.net:443
    duration: 60
    cover: allExcept
    skip_servers: [web-1]
    notification_group_id: night
setting:
  site_name: Harbour
  time_zone: Europe/Berlin
`

test('C-19, D7: a file is compared and applied once; what is exported then shows no difference, as YAML and as JSON', async () => {
  await world.agent({})
  await world.agent({})
  const servers = (await list('server')) as { id: number; name: string }[]
  for (const [index, { id }] of servers.entries())
    await qd(['server', 'edit', String(id), '--name', `web-${index + 1}`])
  await qd(['cron', 'create', '--name', 'mend', '--task-type', 'triggered', '--command', 'true', '--cover', 'on-alert'])

  const before = await diff(fleet)
  expect(before).toMatchObject({ code: 1 })
  expect(before.stdout).toContain('+ cron backup\n')
  expect(before.stdout).toContain('    servers: ["web-2"]\n')
  expect(before.stdout).toMatch(/~ setting .*\n {4}site_name: ".*" -> "Harbour"\n {4}time_zone: "" -> "Europe\/Berlin"/)
  expect(before.stdout).not.toContain('hooks.example.net')
  expect(before.stderr).toContain('7 to create, 1 to change, 0 to delete')

  expect(await apply(fleet)).toMatchObject({ code: 2, stderr: expect.stringContaining('qd apply - --yes') })
  const dry = await apply(fleet, '--dry-run')
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(before.stdout) })
  expect(dry.stdout).toMatch(/POST \/api\/v1\/cron {3}.*"notification_group_id":"new notification-group night"/)
  expect(dry.stdout).not.toContain('hooks.example.net')
  expect((await list('cron')).map(({ name }: { name: string }) => name)).toEqual(['mend'])

  const done = await apply(fleet, '--yes', '--json')
  expect(done).toMatchObject({ code: 0 })
  const { changes } = JSON.parse(done.stdout)
  expect(changes).toHaveLength(8)
  for (const change of changes) expect(change).toMatchObject({ result: 'done', id: expect.any(Number) })
  expect(await list('cron')).toMatchObject([
    { name: 'backup', cover: 'allExcept', servers: [servers[1]!.id], command: 'tar czf /srv/a.tgz /etc\nsync\n' },
    { name: 'mend' },
  ])
  expect(await list('service')).toMatchObject([{ skip_servers: [servers[0]!.id], duration: 60 }])
  const [busy] = (await list('alert-rule')).filter(({ name }: { name: string }) => name === 'busy')
  expect(busy.rules[0].ignore).toEqual({ [servers[0]!.id]: true })
  expect(busy.fail_trigger_tasks).toHaveLength(1)

  // Once more: nothing, and secrets are not sent anew.
  const again = await apply(fleet, '--yes')
  expect(again).toMatchObject({ code: 0, stdout: '' })
  expect(again.stderr).toContain('--set-secrets')
  expect(await apply(fleet, '--dry-run', '--set-secrets')).toMatchObject({
    stdout: expect.stringMatching(/~ notification Hook \(1\)\n {4}url: null -> {"secret":"set"}\n/),
  })

  for (const flags of [[], ['--json']]) {
    const { stdout } = await qd(['export', '--all', ...flags])
    expect(stdout).toMatch(flags.length > 0 ? /"notifications":\["Hook"\]/ : /notifications:\n +- Hook\n/)
    expect(stdout).not.toContain('hooks.example.net')
    expect(await diff(stdout)).toMatchObject({ code: 0, stdout: '' })
    expect(await apply(stdout, '--prune')).toMatchObject({ code: 0, stdout: '' })
  }
  expect((await qd(['export', 'cron', 'backup'])).stdout).toMatch(/^quarterdeck: 1\ncron:\n {2}- name: backup\n/)
})

test('what is wrong with a file is said with its line, and nothing is sent', async () => {
  const text = `quarterdeck: 1
crons: []
cron:
  - name: a
    task_type: scheduled
    scheduler: every day
    comand: x
  - name: a
    servers: [nobody]
    cover: sometimes
  - command: no name
  - just words
  - name: new
    id: 4711
server:
  - name: not here
setting: []
notification:
  - name: fresh
    url: {unchanged: true}
`
  const { code, stdout, stderr } = await apply(text, '--yes')
  expect({ code, stdout }).toEqual({ code: 8, stdout: '' })
  const lines = stderr.split('\n').map((line) => line.trim())
  const says = (pattern: RegExp) => expect(lines).toContainEqual(expect.stringMatching(pattern))
  expect(lines[0]).toBe('error: - has errors; nothing was sent')
  says(/^line 2: unknown entity crons; did you mean cron/)
  says(/^line 7: cron a, comand: unknown field comand; available: command$/)
  says(/^line 8: cron a: a appears twice, first on line 4/)
  says(/^line 11: cron: name is required/)
  says(/^line 12: cron: expected records/)
  says(/^line 14: cron, id: no record has ID 4711/)
  says(/^line 16: server not here: not here doesn’t exist and can’t be created/)
  says(/^line 17: setting: expected records/)
  says(/^line 20: notification fresh, url: a new record has no stored secret/)
  const wrong = await apply(
    text.replace('comand: x', 'command: x').replace('  - name: a\n    servers', '  - name: b\n    servers'),
  )
  expect(wrong.stderr).toMatch(/line 6: cron a, scheduler: /)
  expect(wrong.stderr).toMatch(/line 9: cron b, servers: no server is named nobody/)
  expect(wrong.stderr).toMatch(/line 10: cron b, cover: must be one of: onlyListed/)
  for (const [file, error] of [
    ['a: [', /line 1: /],
    ['quarterdeck: 1\ncron: []\ncron: []\n', /line 3: /],
    ['quarterdeck: 2\n', /line 1: not a file from qd export/],
    ['[]', /not a file from qd export/],
    [
      `a: &a [x, x]\n${Array.from({ length: 12 }, (_, n) => `${'abcdefghijklm'[n + 1]}: &${'abcdefghijklm'[n + 1]} [${Array(9).fill(`*${'abcdefghijklm'[n]}`).join(', ')}]`).join('\n')}`,
      /alias/i,
    ],
  ] as const) {
    const refused = await apply(file, '--yes')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(error)
  }
})

test('--prune deletes what the file does not have, only of its entities; import creates and leaves alone', async () => {
  const file =
    'quarterdeck: 1\nnat:\n  - {name: a, domain: a.example.net, host: "127.0.0.1:80", server_id: web-1, enabled: true}\n'
  const other = file.replaceAll(/\ba\b/g, 'b')
  expect(await apply(file, '--yes')).toMatchObject({ code: 0 })
  const { stdout } = await diff(other, '--prune')
  expect(stdout).toMatch(/\+ nat b\n[\s\S]*- nat a \(\d+\)\n/)
  expect((await diff(other)).stdout).not.toContain('- nat')
  const imported = await qd(['import', '-', '--yes'], {
    input: other.replace('host: "127', 'enabled: false, host: "127').replace(', enabled: true', ''),
  })
  expect(imported).toMatchObject({ code: 0 })
  expect((await list('nat')).map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
  expect(await qd(['import', '-', '--yes'], { input: other })).toMatchObject({ code: 0, stdout: '' })
  expect(await apply(other, '--prune', '--yes')).toMatchObject({ code: 0 })
  expect(await list('nat')).toMatchObject([{ name: 'b', enabled: true }])
})

test('records of one name are told apart by their ids', async () => {
  for (const command of ['one', 'two']) {
    await qd([
      'cron',
      'create',
      '--name',
      'twin',
      '--task-type',
      'triggered',
      '--command',
      command,
      '--cover',
      'on-alert',
    ])
  }
  const { stdout } = await qd(['export', 'cron'])
  const [first, second] = (await list('cron')).filter(({ name }: { name: string }) => name === 'twin')
  expect(stdout).toContain(`  - id: ${first.id}\n    name: twin\n`)
  expect(await diff(stdout)).toMatchObject({ code: 0 })
  expect(await diff('quarterdeck: 1\ncron:\n  - {name: twin, command: x}\n')).toMatchObject({
    code: 8,
    stderr: expect.stringContaining(`${first.id}, ${second.id}`),
  })
  expect(await apply(`quarterdeck: 1\ncron:\n  - {id: ${second.id}, name: other}\n`, '--yes')).toMatchObject({
    code: 0,
  })
  expect((await list('cron')).find(({ id }: { id: number }) => id === second.id)).toMatchObject({
    name: 'other',
    command: 'two',
  })
})

test('a failure is told for its record, the others go on; what somebody else changed meanwhile is not overwritten', async () => {
  const nat = (name: string, domain: string) =>
    `  - {name: ${name}, domain: ${domain}, host: "127.0.0.1:80", server_id: web-1, enabled: true}\n`
  const taken = `quarterdeck: 1\nnat:\n${nat('b2', 'b.example.net')}${nat('c', 'c.example.net')}`
  const partly = await apply(taken, '--yes', '--json')
  expect(partly.code).toBe(6)
  expect(JSON.parse(partly.stdout).changes).toMatchObject([
    { name: 'b2', result: 'failed', error: 'invalid', id: null },
    { name: 'c', result: 'done' },
  ])
  expect(partly.stderr).toMatch(/error: nat b2: /)
  expect(await apply(taken, '--yes', '--fail-fast')).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('0 done, 1 failed, 0 skipped'),
  })

  const [, c] = (await list('nat')) as { id: number }[]
  const changed = 'quarterdeck: 1\nnat:\n  - {name: c, host: "127.0.0.1:82"}\n'
  const answers = createAnswer(async () => {
    await qd(['nat', 'edit', String(c!.id), '--host', '127.0.0.1:81'])
    return 'y'
  })
  const conflict = await qd(['apply', join(mkdtempSync(join(tmpdir(), 'qd-apply-')), 'x.yaml')], {
    io(io) {
      writeFileSync(io.args[1]!, changed)
      Object.assign(io.stdin, { isTTY: true, readLine: answers })
      Object.assign(io.stderr, { isTTY: true })
    },
  })
  expect(conflict).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Apply these changes\?[\s\S]*error: nat c \(\d+\): /),
  })
  expect((await list('nat')).find(({ id }: { id: number }) => id === c!.id)).toMatchObject({ host: '127.0.0.1:81' })
})

/** What a person does before answering. */
const createAnswer = (answer: () => Promise<string>) => () => answer()
