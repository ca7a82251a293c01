import { afterAll, beforeAll, expect, test } from 'vitest'
import { monitoringWorld } from '../../../../../tests/support/tui/monitoring.ts'
import { runQd } from '../../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../../tests/support/tui/server.ts'

let server: RecordingServer
beforeAll(async () => {
  const fleet = Array.from({ length: 12 }, (_, index) => ({ id: index + 1, name: `node-${index + 1}` }))
  server = await startRecordingServer({
    ...monitoringWorld,
    server: good(fleet),
    capabilities: good({ capabilities: ['runs', 'exec'] }),
  })
})
afterAll(() => server.close())

/** Runs `qd` as a script does. */
async function qd(args: readonly string[], input = '') {
  return runQd({ args, input, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' } })
}

test('issue 18: -o json is --json wherever that is known, and -o table what is written without it', async () => {
  for (const words of [['whoami'], ['profile', 'ls'], ['alias', 'ls'], ['doctor']]) {
    const wanted = await qd([...words, '--json'])
    expect(await qd([...words, '-o', 'json'])).toEqual(wanted)
    expect(() => JSON.parse(wanted.stdout), wanted.stderr).not.toThrow()
    expect(await qd([...words, '--output=table'])).toEqual(await qd(words))
  }
  expect(await qd(['exec', 'node-1', '--dry-run', '-o', 'jsonl', '--', 'id'])).toEqual(
    await qd(['exec', 'node-1', '--dry-run', '--jsonl', '--', 'id']),
  )
})

test('issue 18: a failure is JSON where data would be, and not for a flag of the command that hosts run', async () => {
  for (const words of [['-o', 'json'], ['-ojsonl'], ['--output', 'json'], ['--output=jsonl'], ['--json']]) {
    const { code, stdout, stderr } = await qd(['server', 'get', 'nosuch', ...words])
    expect([code, stdout, JSON.parse(stderr)], words.join(' ')).toMatchObject([3, '', { code: 'notFound' }])
  }
  for (const words of [
    ['server', 'get', 'nosuch', '-o', 'yaml'],
    ['exec', 'nosuch', '--', 'tool', '--json'],
  ])
    expect((await qd(words)).stderr).toMatch(/^error: nothing matches “nosuch”/)
})

test.each([
  [['whoami', '-o', 'yaml'], 'unknown output format “yaml”; available: table, json\n'],
  [['run', 'wait', '1', '-o', ''], 'unknown output format “”; available: table, json, jsonl\n'],
  [['export', '-o', 'csv'], 'unknown output format “csv”; available: yaml, json\n'],
  [['diff', '/nowhere/x.yaml'], 'can’t read /nowhere/x.yaml: ENOENT: no such file or directory\n'],
  [['diff', '/'], 'can’t read /: EISDIR: illegal operation on a directory\n'],
  [['diff', '-'], 'stdin is empty\n'],
  [
    ['server', 'ls', '-o', 'csv'],
    'unknown output format “csv”; available: table, wide, plain, json, jsonl, yaml, name\n',
  ],
])('issue 18: qd %j says what is wrong', async (words, message) => {
  const { code, stdout, stderr } = await qd(words)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
})

test('issue 18: the line to try has its new flag before the command that hosts run', async () => {
  const { code, stderr } = await qd(['exec', '--all', '--', 'rm', '-r', '/tmp/a b'])
  expect(code).toBe(2)
  expect(stderr).toContain("  try: qd exec --all --yes -- rm -r '/tmp/a b'\n")
  expect(server.changes).toEqual([])
})

test('issue 18: what is piped in and too long is told as such', async () => {
  const { code, stderr } = await qd(['exec', '-i', 'node-1', '--', 'cat'], 'x'.repeat(70_000))
  expect(code).toBe(2)
  expect(stderr).toContain('piped input is too long')
  expect(stderr).toContain('  try: qd files put\n')
  expect(server.changes).toEqual([])
})

test('issue 18: a word that fits many names says how many more there are', async () => {
  const { code, stderr } = await qd(['server', 'get', 'node'])
  expect(code).toBe(2)
  expect(stderr).toContain('node-8 (8), … +4\n')
})
