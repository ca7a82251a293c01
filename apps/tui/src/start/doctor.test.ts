import { afterEach, expect, test } from 'vitest'
import { runQd } from '../../../../tests/support/tui/run.ts'
import { good, type RecordingServer, startRecordingServer } from '../../../../tests/support/tui/server.ts'

let server: RecordingServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

async function doctor(found: readonly object[], args: readonly string[] = []) {
  server = await startRecordingServer({
    capabilities: good({ capabilities: ['doctor'] }),
    'setting/doctor': good(found),
  })
  return runQd({ args: ['doctor', ...args], env: { QD_URL: server.url, QD_TOKEN: 'nzp_x' } })
}

test.each<[string, object[], number, string[]]>([
  ['nothing', [], 0, ['No problems found in 12 checks']],
  [
    'the site, which is no problem',
    [
      { check: 'standbyServers', names: ['b (2)'] },
      { check: 'activeServer', names: ['a (1), 1.4.0, 0.4 s'] },
    ],
    0,
    ['No problems found', 'Active server (version, last beat): a (1), 1.4.0, 0.4 s', 'Standby servers: b (2)'],
  ],
  [
    'a site without a standby',
    [
      { check: 'activeServer', names: ['a (1), 1.4.0, 0.4 s'] },
      { check: 'noStandby', names: ['a (1)'] },
    ],
    6,
    ['No standby for a (1)', 'Active server'],
  ],
  ['a warning', [{ check: 'noBackup', names: ['-'] }], 6, ['No backup in the last 7 days']],
  [
    'the worst first',
    [
      { check: 'oldAgents', names: ['web-1 (1.2.0)'] },
      { check: 'plainHttp', names: ['0.0.0.0'] },
    ],
    1,
    ['Served without TLS on 0.0.0.0', 'Agents behind the newest version here: web-1 (1.2.0)'],
  ],
  ['what a later version looks for', [{ check: 'moonPhase', names: ['full'] }], 0, ['No problems found']],
])('N-25 qd doctor: %s', async (_name, found, code, lines) => {
  const said = await doctor(found)
  expect([said.code, said.stderr]).toEqual([code, ''])
  const places = lines.map((line) => said.stdout.indexOf(line))
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('N-25 qd doctor --json: findings by their codes', async () => {
  const { code, stdout } = await doctor([{ check: 'plainHttp', names: ['0.0.0.0'] }], ['--json'])
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject([{ check: 'plainHttp', names: ['0.0.0.0'], severity: 'bad' }])
})
