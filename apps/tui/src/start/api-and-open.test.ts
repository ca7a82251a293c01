import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { english } from '../../../../tests/support/english.ts'
import { createTestIo, type TestIoOptions } from '../../../../tests/support/tui/io.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../tests/support/tui/server.ts'
import { runProgram } from './program.ts'

const at = '2026-11-20T12:00:00Z'
const web = { id: 7, name: 'web-1', created_at: at, updated_at: at, last_active: at, host: {} }

let server: RecordingServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function qd(args: readonly string[], options: TestIoOptions = {}) {
  server ??= await startRecordingServer({
    capabilities: good({ capabilities: [] }),
    server: good([web]),
    'server?id=7': good([web]),
    'POST waf/block': good(null),
  })
  const io = createTestIo({ ...options, args, env: { QD_URL: server.url, QD_TOKEN: 'nzp_x', ...options.env } })
  const code = await runProgram(io)
  return { code, ...io.written(), opened: io.opened, home: io.home }
}

describe('issue 14: qd api', () => {
  test('sends one call, with or without /api/v1/, and writes the data of the answer', async () => {
    for (const path of ['server', '/server', '/api/v1/server'])
      expect(JSON.parse((await qd(['api', 'get', path])).stdout)).toMatchObject([{ name: 'web-1' }])
    expect((await qd(['api', 'GET', 'server?id=7', '--jq', '.[0].id'])).stdout).toBe('7\n')
  })
  test('a body comes from a file or stdin, and a dry run sends nothing', async () => {
    const body = { address: '203.0.113.9' }
    const { home } = await qd(['api', 'GET', 'server'])
    const file = join(home, 'block.json')
    writeFileSync(file, JSON.stringify(body))
    const dry = await qd(['api', 'POST', 'waf/block', '--body-file', file, '--dry-run'])
    expect(dry.stdout).toContain('POST /api/v1/waf/block   {"address":"203.0.113.9"}')
    expect(server!.requests.filter(({ method }) => method === 'POST')).toEqual([])
    const { code } = await qd(['api', 'POST', 'waf/block', '--body-file', '-'], { input: JSON.stringify(body) })
    expect(code).toBe(0)
    expect(server!.requests.at(-1)).toMatchObject({ method: 'POST', body })
  })
  test.each([
    [['api', 'FETCH', 'server'], 'unsupported method FETCH'],
    [['api', 'GET', 'https://elsewhere.example/x'], 'isn’t a path under /api/v1/'],
    [['api', 'GET', '../../etc'], 'isn’t a path under /api/v1/'],
    [['api', 'POST', 'waf/block', '--body-file', '-'], 'JSON'],
  ])('%j is refused before anything is sent', async (args, said) => {
    const { code, stdout, stderr } = await qd(args, { input: '{"a":' })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(said)
    expect(server!.requests).toEqual([])
  })
})

describe('issue 14: qd open', () => {
  test('writes the address of a list or a record, and shows it where there is a desktop', async () => {
    const piped = await qd(['open', 'server', 'web-1'], { env: { DISPLAY: ':0' } })
    expect([piped.code, piped.stdout, piped.opened]).toEqual([0, `${server!.url}/dashboard?open=7\n`, []])
    const desk = await qd(['open', 'cron'], { env: { DISPLAY: ':0' }, terminal: ['stdout'] })
    expect(desk.opened).toEqual([`${server!.url}/dashboard/cron`])
    const ssh = await qd(['open', 'setting'], { terminal: ['stdout'] })
    expect([ssh.stdout, ssh.stderr]).toEqual([
      `${server!.url}/dashboard/settings\n`,
      expect.stringContaining(english.t('ui.cli.open.noBrowser')),
    ])
  })
  test('an unknown entity or record is said', async () => {
    expect(await qd(['open', 'servr'])).toMatchObject({ code: 2, stderr: expect.stringContaining('server') })
    expect(await qd(['open', 'server', 'web-9'])).toMatchObject({ code: 3 })
  })
})
