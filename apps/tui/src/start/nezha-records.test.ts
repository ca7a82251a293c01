import { describe, expect, test } from 'vitest'
import { cliText } from '../../../../tests/support/english.ts'
import type { Expected } from '../../../../tests/support/replay/dashboard.ts'
import { signedIn } from '../../../../tests/support/tui/nezha.ts'

/** A server keeps what its form does not show now. */
const kept = { note: 'new', ddns_profiles: [77], override_ddns_domains: { 77: ['a.example.com'] } }

/** What 1.x answers of secrets goes back as it came: an empty value would clear it there. */
const secrets = {
  notification: {
    url: 'https://hooks.example.com/x?m=#NEZHA#',
    request_header: '{"X-Key":"abc"}',
    request_body: '{"text":"#NEZHA#"}',
  },
  ddns: { access_secret: 'secret', webhook_headers: '{"A":"b"}' },
} as const

const everyList: readonly [entity: string, shown: RegExp][] = [
  ['server', /db-1 .*offline\n.*web-1 .*online/],
  ['server-group', /adj .*web-1,alice-1/],
  ['service', /http:\/\/127\.0\.0\.1:18199/],
  ['cron', /hourly .*0 0 \* \* \* \*/],
  ['notification', /hook .*POST/],
  ['notification-group', /ops .*hook,loop/],
  ['alert-rule', /cpu high .*cpu > 90 for 30s/],
  ['ddns', /dns .*dummy .*www\.example\.com/],
  ['nat', /nat .*nat\.example\.test/],
  ['user', /admin/],
  ['waf', /198\.51\.100\.3 .*blocked/],
  ['online-user', /127\.0\.0\.1/],
]
const laterLists: readonly [entity: string, shown: RegExp][] = [
  ['transfer', /failed|cancelled/],
  ['api-token', /legacy/],
]

describe.each([1, 2] as const)('a Nezha dashboard of %i.x', (generation) => {
  test('every list', async () => {
    const { qd } = await signedIn({ generation })
    const lists = generation === 1 ? everyList : [...everyList, ...laterLists]
    for (const [entity, shown] of lists) {
      const { code, stdout, stderr } = await qd([entity, 'ls'])
      expect([entity, code, stderr]).toEqual([entity, 0, ''])
      expect(stdout).toMatch(shown)
    }
  })

  test('what it does not have is said in a sentence', async () => {
    const { qd } = await signedIn({ generation })
    const ours = ['incident', 'maintenance-window', 'session', 'run', 'audit', 'unit', 'container']
    for (const entity of generation === 1 ? [...ours, 'transfer', 'api-token'] : ours) {
      const { code, stdout, stderr } = await qd([entity, 'ls'])
      expect([entity, code, stdout]).toEqual([entity, 5, ''])
      expect(stderr).toContain(`error: ${cliText('errors.unsupported')}`)
    }
  })

  test('D3: what it does not tell has no column and no value, and cannot be asked for', async () => {
    const { qd } = await signedIn({ generation })
    for (const [entity, word] of [
      ['notification', 'never'],
      ['ddns', 'never'],
      ['nat', 'never'],
      ['alert-rule', 'watching'],
    ] as const) {
      const { stdout } = await qd([entity, 'ls', '--jsonl'])
      const [row] = stdout.split('\n').map((line) => JSON.parse(line || 'null'))
      expect([entity, row.state]).toEqual([entity, null])
      const asked = await qd([entity, 'ls', word])
      expect([entity, asked.code, asked.stdout]).toEqual([entity, 2, ''])
      expect(asked.stderr).toContain('“state” isn’t available on this server')
      const table = await qd([entity, 'ls', '-o', 'wide'])
      expect(table.stdout.toLowerCase()).not.toContain(word.toLowerCase())
    }
    const { code, stderr } = await qd(['setting', 'set', '--history-fine-hours', '30'])
    expect([code, stderr]).toEqual([5, expect.stringContaining(cliText('errors.unsupported'))])
  })

  test('settings that 1.x does not have are not there', async () => {
    const { dash, qd } = await signedIn({ generation })
    dash.reads('settings', 'as admin after the edit')
    const { stdout } = await qd(['setting', 'get', '--json', 'dashboard_host,reserved_hosts,enable_mcp,dns_servers'])
    expect(JSON.parse(stdout)).toEqual({
      ...(generation === 1
        ? { dashboard_host: null, reserved_hosts: null, enable_mcp: null }
        : { dashboard_host: 'dash.example.com', reserved_hosts: 'cdn.example.com,api.example.com', enable_mcp: true }),
      dns_servers: '9.9.9.9:53',
    })
    if (generation === 2) return
    const { code, stderr } = await qd(['setting', 'set', '--reserved-hosts', 'a.example.com'])
    expect([code, stderr]).toEqual([5, expect.stringContaining(cliText('errors.unsupported'))])
  })

  test('services: how they stand comes from a call of its own; who may not ask for it has the list', async () => {
    const { dash, qd } = await signedIn({ generation })
    const ls = async (...words: string[]) => {
      const { code, stdout, stderr } = await qd(['service', 'ls', ...words, '--jsonl'])
      expect([code, stderr]).toEqual([0, ''])
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    }
    const rows = await ls()
    const of = (name: string) => rows.find((row) => row.name === name)
    expect(of('tcp')).toMatchObject({ state: 'up', up_percent: 100, delay: 0.4022142855184419, status_since: null })
    expect(of('min')).toMatchObject({ state: 'down', up_percent: 0, delay: null, error: null, certificate: null })
    expect(of('ex99')).toMatchObject({ state: 'noData', up_percent: null, delay: null })
    expect((await ls('down')).map(({ name }) => name)).toEqual(['min'])
    expect((await qd(['service', 'ls'])).stdout).toMatch(/min .*down/)
    dash.answersWith((request, response) =>
      request.url === '/api/v1/service' ? response.end(JSON.stringify({ error: 'permission denied' })) : 'as ever',
    )
    expect((await ls()).map(({ state }) => state)).toEqual(rows.map(() => 'noData'))
  })

  const changes: readonly [
    file: string,
    step: string,
    words: readonly string[],
    more?: Expected & { input?: string },
  ][] = [
    ['servers', 'edit: restore', ['server', 'edit', 'web-1', '--note', 'new'], { with: kept }],
    ['server-groups', 'create: ok', ['server-group', 'create', '--name', 'prod', '--servers', 'web-1,db-1']],
    ['server-groups', 'edit: ok', ['server-group', 'edit', '2', '--name', 'prod-2', '--servers', 'web-1']],
    ['server-groups', 'delete: ok', ['server-group', 'rm', '2', '3', '--yes'], { with: { body: [2, 3] } }],
    [
      'services',
      'create: ok HTTP, only server 1, hidden for guests',
      [
        ...['service', 'create', '--name', 'http', '--target', 'http://127.0.0.1:18199/', '--type', 'http'],
        ...['--cover', 'only-listed', '--servers', 'web-1', '--hide-for-guest'],
      ],
      { with: { skip_servers: { 1: true }, duration: 30 } },
    ],
    ['services', 'edit: ok', ['service', 'edit', '3', '--name', 'icmp', '--every', '30s'], { with: { duration: 30 } }],
    ['services', 'delete: ids 4, 5, 7', ['service', 'rm', '4', '5', '7', '--yes']],
    [
      'crons',
      'create: ok',
      [
        'cron',
        'create',
        '--name',
        'hourly',
        '--scheduler',
        '0 0 * * * *',
        '--command',
        'echo ok',
        '--servers',
        'web-1',
      ],
    ],
    ['crons', 'edit: ok', ['cron', 'edit', '1', '--name', 'hourly-2', '--push-successful']],
    ['crons', 'delete: ok', ['cron', 'rm', '2', '3', '--yes']],
    [
      'notifications',
      'edit: empty strings keep url, header, body',
      ['notification', 'edit', '2', '--name', 'hook-2', '--skip-check'],
      generation === 1 ? { with: secrets.notification } : {},
    ],
    ['notifications', 'delete: ok', ['notification', 'rm', '1', '--yes']],
    ['notification-groups', 'create: ok', ['notification-group', 'create', '--name', 'ops', '--notifications', '2,3']],
    ['notification-groups', 'edit: ok', ['notification-group', 'edit', '2', '--name', 'empty']],
    ['notification-groups', 'delete: ok', ['notification-group', 'rm', '2', '--yes']],
    [
      'alert-rules',
      'create: ok',
      ['alert-rule', 'create', '--name', 'cpu high', '--rules', 'cpu > 90 for 30s', '--trigger-mode', 'always'],
    ],
    [
      'alert-rules',
      'edit: ok (answers with the id)',
      ['alert-rule', 'edit', '1', '--name', 'cpu very high', '--enable', 'no'],
      { with: { rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }] } },
    ],
    ['alert-rules', 'delete: ok', ['alert-rule', 'rm', '1', '2', '--yes'], { with: { body: [1, 2] } }],
    [
      'ddns',
      'edit: ok, empty secrets keep',
      ['ddns', 'edit', '2', '--name', 'dns-2'],
      { with: { domains: ['www.example.com', 'xn--mnchen-3ya.example'], ...(generation === 1 && secrets.ddns) } },
    ],
    ['ddns', 'delete: ok', ['ddns', 'rm', '1', '3', '--yes']],
    [
      'nat',
      'create: ok',
      [
        'nat',
        'create',
        '--name',
        'nat',
        '--server-id',
        'web-1',
        '--host',
        '127.0.0.1:18199',
        '--domain',
        'nat.example.test',
      ],
    ],
    ['nat', 'edit: disable', ['nat', 'edit', '1', '--enabled', 'no']],
    ['nat', 'delete: ok', ['nat', 'rm', '1', '2', '--yes']],
    [
      'users',
      'create: member alice',
      ['user', 'create', '--username', 'alice', '--new-password-file', '-'],
      { input: 'alice-pass-1' },
    ],
    [
      'users',
      'delete users 3, 5, 6',
      ['user', 'rm', '3', '5', '--yes', '--confirm', '2 user'],
      { with: { body: [3, 5] } },
    ],
    ['waf', 'clear', ['waf', 'unblock', '198.51.100.3', '198.51.100.5', '--yes']],
    [
      'waf',
      'batch-block an address',
      ['online-user', 'block', '127.0.0.1', '--yes'],
      { with: { body: ['127.0.0.1'] } },
    ],
  ]

  test.each(changes)('%s: %s', async (file, step, words, { input, ...expected } = {}) => {
    const { dash, qd } = await signedIn({ generation })
    dash.expects(file, step, expected)
    const { code, stderr } = await qd(words, input)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')])
  })
})
