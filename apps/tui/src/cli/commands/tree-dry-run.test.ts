import { resources } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { memberKinds, sampleFlags, sampleOf } from '../../../../../tests/support/samples.ts'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { good, startRecordingServer } from '../../../../../tests/support/tui/server.ts'
import { runProgram } from '../../start/program.ts'
import type { Command } from './command.ts'
import { commandTree } from './tree.ts'

const tree = commandTree()
const leaves: readonly (readonly [path: string, command: Command])[] = tree.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command] as const)
    : [[entry.name, entry] as const],
)

/** What the registry asks servers for, and what is asked for apart from it. */
const everyCapability = [
  ...new Set([
    ...['runs', 'if-match', 'account', 'install', 'history'],
    ...resources.flatMap(({ requires, trial, fields, actions, serverChecks }) => [
      ...[requires, trial?.capability],
      ...Object.values(fields).map((field) => field.requires),
      ...Object.values(actions).flatMap(({ capability, args }) => [
        capability,
        ...Object.values(args?.fields ?? {}).map((field) => field.requires),
      ]),
      ...Object.values(serverChecks).map(({ capability }) => capability),
    ]),
  ]),
].filter((one) => typeof one === 'string')

describe('C-17 --dry-run shows method, path and body and sends nothing', () => {
  const at = '2026-11-20T12:00:00Z'
  const owner = { id: 1, username: 'admin', admin: true }
  const stamps = { created_at: at, updated_at: at, owner }
  const ranAs = (counts: Record<string, number>, state: string | null) => ({
    id: 1,
    kind: 'update',
    name: 'nightly',
    counts: { waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0, ...counts },
    rollout: state && { canary: 1, batch: 1, max_failures: 0, state },
    ...stamps,
  })
  const incident = (id: number, state: string) => ({ id, name: 'busy', state, opened_at: at, ...stamps })
  const url = 'https://hub.example'
  const replies = {
    ...Object.fromEntries(
      memberKinds.map((kind) => {
        const row = { id: 1, ...kind.initial, ...sampleOf(kind, { name: 'first', server: 1 }), ...stamps }
        return [kind.wire.calls.list.path, good([kind.wire.encodeRow(row)])]
      }),
    ),
    profile: good({ id: 1, username: 'admin', role: 0, ...stamps }),
    capabilities: good({
      capabilities: everyCapability,
    }),
    setting: good({
      config: { site_name: 'Fleet', language: 'en-US', user_template: 'user-dist', cover: 1 },
      trial_until: at,
    }),
    server: good([{ id: 1, name: 'web-1', last_active: new Date().toISOString(), own_secret: true, ...stamps }]),
    transfer: good([
      { id: 1, server_id: 1, status: 0, ...stamps },
      { id: 2, server_id: 1, status: 2, ...stamps },
    ]),
    user: good([
      { id: 1, username: 'kim', role: 1, totp: true, ...stamps },
      { id: 2, username: 'lee', role: 1, secret_waiting: 1, ...stamps },
    ]),
    'profile/totp': good({ uri: 'otpauth://totp/x?secret=ABC', key: 'ABC' }),
    waf: good({ value: [{ id: 1, ip: '203.0.113.7', count: 3 }], pagination: { total: 1 } }),
    'online-user': good({ value: [{ id: 1, ip: '203.0.113.7', connected_at: at }], pagination: { total: 1 } }),
    nat: good(
      [true, false].map((enabled, index) => ({
        ...{ id: index + 1, name: `wiki-${index}`, domain: `wiki-${index}.example.net`, host: '127.0.0.1:80' },
        ...{ server_id: 1, enabled, ...stamps },
      })),
    ),
    'sign-in-provider': good(
      [true, false].map((enabled, index) => ({
        ...{ id: index + 1, name: `Hub-${index}`, kind: 'oidc', base_url: url, site_url: url, client_id: 'c', enabled },
        ...stamps,
      })),
    ),
    session: good([{ id: 1, kind: 'login', client: 'x', is_current: false, ...stamps }]),
    'service/list': good(
      [1, 2].map((id) => ({
        ...{ id, name: `site-${id}`, type: 1, target: 'https://example.net', duration: 30, cover: 0, skip_servers: {} },
        ...stamps,
      })),
    ),
    'alert-rule': good(
      [true, false].map((enable, index) => ({
        ...{ id: index + 1, name: `busy-${index}`, enable, notification_group_id: 1 },
        rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }],
        ...stamps,
      })),
    ),
    incident: good({ value: [incident(1, 'open'), incident(2, 'silenced')], pagination: { total: 2 } }),
    'incident/1': good(incident(1, 'open')),
    'incident/2': good(incident(2, 'silenced')),
    'host/unit': good({
      cursor: 1,
      hosts: [
        {
          ...{ server_id: 1, state: 'read', at },
          rows: [
            { name: '1.service', type: 'service', state: 'active', enabled: 'disabled', manager: 'systemd' },
            { name: 'cups.service', type: 'service', state: 'inactive', enabled: 'enabled', manager: 'systemd' },
          ],
        },
      ],
    }),
    'host/container': good({
      cursor: 1,
      hosts: [
        {
          ...{ server_id: 1, state: 'read', at },
          rows: [
            { name: '1', ref: 'docker/1', engine: 'docker', state: 'running' },
            { name: 'idle', ref: 'docker/idle', engine: 'docker', state: 'exited' },
          ],
        },
      ],
    }),
    'host/package': good({
      cursor: 1,
      hosts: [
        {
          ...{ server_id: 1, state: 'read', at },
          rows: [{ name: 'vim', ref: 'apt/vim', state: 'update', manager: 'apt' }],
        },
      ],
    }),
    'host/process': good({
      cursor: 1,
      hosts: [
        {
          ...{ server_id: 1, state: 'read', at },
          rows: [{ name: '1', ref: '1@7', pid: 1, parent: 0, program: 'init', state: 'sleeping', kernel: false }],
        },
      ],
    }),
    'host/port': good({
      cursor: 1,
      hosts: [
        {
          ...{ server_id: 1, state: 'read', at },
          rows: [{ name: '1', protocol: 'tcp', address: '::', port: 22, program: 'sshd', pid: 7 }],
        },
      ],
    }),
    'server/config/1': good('{"report_delay":3}'),
    'run/1': good(ranAs({ failure: 1 }, null)),
    'run/2': good(ranAs({ waiting: 1 }, 'going')),
    'run/3': good(ranAs({ waiting: 1 }, 'paused')),
  }
  /** The record that a command is tried on, where it is not the first. */
  const records: Readonly<Record<string, string>> = {
    'files put': '-',
    'files rm': '1:/x',
    'files mkdir': '1:/x',
    'files mv': '1:/x',
    'waf block': '203.0.113.9',
    api: 'POST',
    'alert-rule enable': '2',
    'nat enable': '2',
    'sign-in-provider enable': '2',
    'incident unsilence': '2',
    'run pause': '2',
    'service move-up': '2',
    'run resume': '3',
    'run stop': '2',
    'transfer retry': '2',
    'container start': 'idle',
    'container remove': 'web-1/docker/idle',
    'package upgrade': 'vim',
    'package upgrade-all': 'vim',
    'unit start': 'cups',
    'unit disable': 'web-1/cups',
    'user end-rotation': '2',
    apply: '-',
    import: '-',
  }
  const values: Readonly<Record<string, readonly string[]>> = {
    'server config': ['--report-delay', '2'],
    api: ['waf/block'],
    'server groups': ['--add', 'first'],
    'server move': ['--to-user', 'kim'],
    'server public-note': ['--amount', '5'],
    exec: ['--command', 'uptime'],
    'incident note': ['looked at it'],
    'user create': ['--username', 'n', '--new-password-file', '-'],
    'user duplicate': ['--new-password-file', '-'],
    'user edit': ['--username', 'other'],
    'notification create': ['--name', 'n', '--url-file', '-'],
    'notification duplicate': ['--url-file', '-'],
    'setting set': ['--site-name', 'Bridge'],
    'account totp': ['--code', '123456'],
    'sign-in-provider create': [
      ...['--name', 'n', '--base-url', url, '--site-url', url, '--client-id', 'c', '--client-secret-file', '-'],
    ],
    'sign-in-provider duplicate': ['--name', 'n', '--client-secret-file', '-'],
    'sign-in-provider edit': ['--name', 'n'],
    'ddns edit': ['--name', 'n'],
    'nat duplicate': ['--domain', 'c.example.net'],
    'account password': ['--current-file', '-', '--new-file', '-'],
    'files put': ['1:/x'],
    'files mv': ['/y'],
  }
  const createFlags = (path: string) => {
    const kind = memberKinds.find(({ name }) => path === `${name} create`)
    return kind && sampleFlags(kind, { name: 'n', server: 1 })
  }
  const changing = leaves.filter(([, { flags = [] }]) => flags.some(({ flags: text }) => text === '--dry-run'))

  test.each(changing)('%s', async (path, { args }) => {
    const totp = !path.endsWith(' totp')
    const ways = { oauth2_bind: { hub: 'x' }, reject_password: path.endsWith('-on') }
    const rotation = { secret_waiting: path.endsWith('end-rotation') ? 1 : 0 }
    const profile = good({ id: 1, username: 'admin', role: 0, totp, ...ways, ...rotation, ...stamps })
    const server = await startRecordingServer({ ...replies, profile })
    const others = { 'server-group': good([{ group: { id: 9, name: 'other', ...stamps }, servers: null }]) }
    const other = path === 'migrate' ? await startRecordingServer({ ...replies, ...others, profile }) : null
    const words = [
      ...path.split(' '),
      ...(other ? ['--from', other.url, '--from-token-file', '-'] : []),
      ...(args ? [records[path] ?? '1'] : []),
      ...(values[path] ?? createFlags(path) ?? (path.endsWith('edit') ? ['--name', 'other'] : [])),
    ]
    const env = { QD_URL: server.url, QD_TOKEN: 'nzp_x' }
    const secret = 'https://long-secret.example.net'
    const file = `quarterdeck: 1\nnotification: [{name: new, url: ${secret}}]\n`
    const input = path === 'apply' || path === 'import' ? file : `${secret}\n`
    const io = createTestIo({ args: [...words, '--dry-run'], env, input })
    const code = await runProgram(io)
    const { stdout, stderr } = io.written()
    expect({ code, changes: server.changes, stderr }).toEqual({
      code: 0,
      changes: [],
      stderr: expect.stringMatching(/Dry run: nothing was sent\n$/),
    })
    expect(stdout).toMatch(/^(POST|PATCH|DELETE) \/api\/v1\/\S+/m)
    expect(stdout).not.toContain('long-secret')
    expect(other?.changes ?? []).toEqual([])
    await other?.close()
    await server.close()
  })

  test('every command that changes something has the flag', () => {
    const reading =
      /^(\S+ (ls|get|history|events|logs|wait|watch)|server (re)?install|account secret|login|logout|logs|whoami|doctor|diff|open|mcp|help|demo|completion|files (cat|edit)|(export|watch) \w+(-\w+)*|(profile|alias) \w+)$/
    expect(leaves.map(([path]) => path).filter((path) => !reading.test(path))).toEqual(changing.map(([path]) => path))
  })
})
