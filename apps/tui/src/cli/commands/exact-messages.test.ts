import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { monitoringWorld } from '../../../../../tests/support/tui/monitoring.ts'
import { good, type Reply, startRecordingServer } from '../../../../../tests/support/tui/server.ts'
import { runProgram } from '../../start/program.ts'

/** Runs `qd` on a server of monitoring, with some answers of its own. `file` is in the folder that it runs in. */
async function qd(args: readonly string[], replies: Readonly<Record<string, Reply>> = {}) {
  const server = await startRecordingServer({ ...monitoringWorld, ...replies })
  const io = createTestIo({ args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' } })
  writeFileSync(join(io.cwd, 'file'), 'text')
  const code = await runProgram(io)
  await server.close()
  return { code, changes: server.changes, ...io.written() }
}

test.each([
  ['server ls', '{{.nme}}', '{{.name}}'],
  ['server get web-1', '{{.id}} {{ .nme | length }}', '{{.id}} {{ .name | length }}'],
  ['server-group ls', '{{.nme}}', '{{.name}}'],
  ['files ls web-1:/tmp', '{{.szie}}', '{{.size}}'],
])('issue 36.22 %s --template %s is refused and names the near field', async (words, template, near) => {
  const { code, stdout, stderr } = await qd([...words.split(' '), '--template', template])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^error: unknown field (nme|szie); available: .*\n/)
  expect(stderr).toContain(`try: --template '${near}'\n`)
})

test('issue 36.22 a template may only use the fields that --json names', async () => {
  const args = ['server', 'ls', '--json', 'id,name', '--template', '{{.id}} {{.uuid}}']
  expect(await qd(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown field uuid') })
  expect(await qd([...args.slice(0, -1), '{{.id}} {{.name}}'])).toMatchObject({ code: 0, stdout: '2 db-1\n1 web-1\n' })
})

test.each([
  ['--tells', 'nobody'],
  ['--notification-group-id', 'nobody'],
  ['--servers', 'nobody'],
  ['--skip-servers', 'nobody'],
])('issue 36.22 a problem of %s is told under this name', async (flag, value) => {
  const { code, stderr } = await qd(['service', 'edit', '1', flag, value])
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr: `error: some values need attention\n  ${flag}: nothing matches “nobody”\n`,
  })
})

test.each([
  ['server ls', '--json'],
  ['server ls', '--jsonl'],
  ['server history web-1', '--metric'],
  ['notification edit chat', '--clear'],
])('issue 36.39 an empty value of %s %s is refused, not taken for a list of nothing', async (words, flag) => {
  const { code, stdout, changes } = await qd([...words.split(' '), `${flag}=`])
  expect({ code, stdout, changes }).toEqual({ code: 2, stdout: '', changes: [] })
})

test('issue 36.22 an empty list says the name that was typed', async () => {
  const { stderr } = await qd(['service', 'edit', '1', '--servers', ''])
  expect(stderr).toContain('error: --servers is empty; use none for an empty list\n  try: --servers none\n')
})

const window = ['maintenance-window', 'create', '--name', 'n', '--cover', 'all-except']

test('issue 36.22 an offset may go back, and an end before the start is told so', async () => {
  const { code, stderr } = await qd([...window, '--starts-at', 'now', '--ends-at', '-2h'])
  expect({ code, stderr }).toEqual({
    code: 8,
    stderr: 'error: some values need attention\n  --ends-at: the end is before the start\n',
  })
  const since = await qd([...window, '--starts-at', '-1h', '--ends-at', '+2h', '--dry-run', '--json'])
  const [{ body }] = JSON.parse(since.stdout).calls
  expect(Date.parse(body.ends_at) - Date.parse(body.starts_at)).toBe(7_200_000)
})

test.each([
  ['put file db-1:/tmp/x'],
  ['ls db-1:/tmp'],
  ['cat db-1:/tmp/x'],
  ['get db-1:/tmp/x -'],
  ['rm --yes db-1:/tmp/x'],
])('issue 36.22 files %s names the server that is not connected', async (words) => {
  const refused = { body: { error: 'server not found or not connected' } }
  const { code, stderr } = await qd(['files', ...words.split(' ')], {
    'server/2': good({ id: 2, name: 'db-1' }),
    'POST file': refused,
    'POST file/delete': refused,
  })
  expect(code).toBe(1)
  expect(stderr).toContain('db-1: ')
})

test('issue 36.22 --all where there is nothing says so', async () => {
  expect(await qd(['exec', '--all', '--', 'true'], { server: good([]) })).toMatchObject({
    code: 3,
    stderr: 'error: you have no servers\n',
    changes: [],
  })
  expect(await qd(['cron', 'delete', '--all', '--yes'], { cron: good([]) })).toMatchObject({
    code: 3,
    stderr: 'error: you have no tasks\n',
    changes: [],
  })
})

test.each(['cron run', 'cron delete', 'service delete'])('issue 36.22 %s without a name', async (words) => {
  expect(await qd(words.split(' '))).toMatchObject({
    code: 2,
    stderr: 'error: missing argument: name\n  try: give names, or use --select, --ids, or --all\n',
  })
})

test.each(['QD_TOKEN', '--token-file'])(
  'issue 36.22 a refused token from %s is not blamed on a connection',
  async (source) => {
    const refused = { status: 401, body: { error: 'ApiErrorUnauthorized' } }
    const server = await startRecordingServer({ ...monitoringWorld, server: refused, profile: refused })
    const isFlag = source === '--token-file'
    const io = createTestIo({
      args: ['server', 'ls', ...(isFlag ? ['--token-file', '-'] : [])],
      input: 'nzp_x',
      env: { QD_URL: server.url, LANG: 'C.UTF-8', ...(!isFlag && { QD_TOKEN: 'nzp_x' }) },
    })
    const folder = join(io.home, '.config', 'quarterdeck')
    mkdirSync(folder, { recursive: true })
    const profiles = { default: { url: server.url, token: 'nzp_saved' } }
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ current: 'default', profiles }), { mode: 0o600 })
    expect(await runProgram(io)).toBe(4)
    await server.close()
    expect(io.written().stderr).toContain(`\n  address ${server.url}, with the token from ${source}\n`)
  },
)
