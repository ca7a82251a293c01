import { languages } from '@qd/core/i18n'
import { describe, expect, test } from 'vitest'
import { widthOf } from '../output/width.ts'
import { runProgram } from '../program.ts'
import { createTestIo } from '../test-io.ts'
import { good, startRecordingServer } from '../test-server.ts'
import { loadTranslator } from '../texts.ts'
import type { Command, CommandGroup } from './command.ts'
import { helpText } from './command.ts'
import { commandTree, globalFlags } from './tree.ts'

const tree = commandTree(async () => undefined)
const groups = tree.filter((entry): entry is CommandGroup => 'commands' in entry)
const leaves: readonly (readonly [path: string, command: Command])[] = tree.flatMap((entry) =>
  'commands' in entry
    ? entry.commands.map((command) => [`${entry.name} ${command.name}`, command] as const)
    : [[entry.name, entry] as const],
)
const longOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? ''

test('words: nouns, verbs and top-level commands as the decisions page has them', () => {
  expect(tree.map(({ name }) => name)).toEqual([
    'server',
    'service',
    'cron',
    'run',
    'notification',
    'alert-rule',
    'incident',
    'maintenance-window',
    'server-group',
    'notification-group',
    'transfer',
    'api-token',
    'session',
    'setting',
    'user',
    'online-user',
    'waf',
    'audit',
    'account',
    'exec',
    'login',
    'logout',
    'whoami',
    'profile',
    'export',
    'open',
    'api',
    'completion',
    'help',
  ])
  expect(
    Object.fromEntries(groups.map(({ name, commands }) => [name, commands.map((command) => command.name)])),
  ).toEqual({
    server: [
      'ls',
      'get',
      'edit',
      'delete',
      'shell',
      'config',
      'groups',
      'force-update',
      'install',
      'reinstall',
      'move',
      'public-note',
      'history',
      'events',
    ],
    service: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'check', 'move-up', 'move-down', 'history'],
    cron: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'run'],
    notification: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'test'],
    'alert-rule': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'enable', 'disable', 'test', 'backtest'],
    incident: ['ls', 'get', 'ack', 'silence', 'unsilence', 'note'],
    'maintenance-window': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete'],
    'notification-group': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete'],
    'server-group': ['ls', 'get', 'create', 'edit', 'duplicate', 'delete'],
    run: ['ls', 'get', 'again', 'pause', 'resume', 'stop', 'wait'],
    transfer: ['ls', 'get', 'cancel', 'retry'],
    'api-token': ['ls', 'get', 'create', 'duplicate', 'delete'],
    session: ['ls', 'get', 'revoke'],
    setting: ['get', 'set'],
    user: ['ls', 'get', 'create', 'edit', 'duplicate', 'delete', 'reset-totp'],
    'online-user': ['ls', 'get', 'block'],
    waf: ['ls', 'get', 'block', 'unblock'],
    audit: ['ls', 'get'],
    account: ['get', 'secret', 'renew-secret', 'totp', 'totp-off', 'recovery-codes', 'password'],
    profile: ['ls', 'add', 'use', 'rename', 'delete'],
    export: [
      'server',
      'service',
      'cron',
      'notification',
      'alert-rule',
      'maintenance-window',
      'server-group',
      'notification-group',
      'user',
    ],
  })
})

test('C-04 no flag takes a secret', () => {
  const flags = [...globalFlags, ...leaves.flatMap(([, { flags = [] }]) => flags)].map(({ flags }) => flags)
  for (const flag of flags) {
    if (/password|secret|token/.test(longOf(flag))) expect(flag).toMatch(/-file <file>$/)
  }
})

test('flags of a command never hide those of every command, nor one another', () => {
  const global = globalFlags.map(({ flags }) => longOf(flags))
  for (const [path, { flags = [] }] of leaves) {
    const own = flags.map((flag) => longOf(flag.flags))
    expect(
      own.filter((flag) => global.includes(flag)),
      path,
    ).toEqual([])
    expect(new Set(own).size, path).toBe(own.length)
  }
})

test('C-26 every command has help in words, with examples first', async () => {
  const translator = await loadTranslator('en-US')
  for (const [path, command] of leaves) {
    const texts = [command.help, ...(command.flags ?? []).map(({ help }) => help)].map((help) =>
      helpText(translator, help),
    )
    for (const text of texts) expect(text, path).not.toMatch(/^(ui|resources|errors)\.|^$/)
    expect(command.examples.length, path).toBeGreaterThan(0)
    for (const example of command.examples) expect(example.startsWith(path), `${path}: ${example}`).toBe(true)
    const io = createTestIo({ args: [...path.split(' '), '--help'] })
    expect(await runProgram(io)).toBe(0)
    const { stdout } = io.written()
    expect(stdout, path).not.toMatch(/\b(ui|resources)\.\w+\./)
    expect(stdout.indexOf('Examples')).toBeLessThan(stdout.indexOf('Flags'))
    for (const line of stdout.split('\n')) expect(line.length, `${path}: ${line}`).toBeLessThanOrEqual(90)
  }
})

test.each(languages)('C-26 help in %s fits 80 cells and has no key in it', async (language) => {
  for (const words of [
    '',
    'cron create ',
    'profile ',
    'alert-rule create ',
    'service edit ',
    'server history ',
    'incident ls ',
  ]) {
    const io = createTestIo({ args: `${words}--help --lang ${language}`.split(' ') })
    expect(await runProgram(io)).toBe(0)
    const { stdout } = io.written()
    expect(stdout).not.toMatch(/\b(ui|resources|errors)\.\w+\./)
    for (const line of stdout.split('\n')) {
      if (!line.startsWith('Usage') && !/^ {2}--\S+ \S+$/.test(line))
        expect(widthOf(line), line).toBeLessThanOrEqual(82)
    }
  }
})

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
  const replies = {
    profile: good({ id: 1, username: 'admin', role: 0, ...stamps }),
    capabilities: good({
      capabilities: [
        ...['runs', 'if-match', 'exec', 'install', 'regroup', 'rollout', 'sessions'],
        ...['incidents', 'account', 'second-factor', 'maintenance', 'history'],
        ...['notifier-test', 'service-check', 'backtest', 'incident-notes', 'firewall'],
      ],
    }),
    setting: good({ config: { site_name: 'Fleet', language: 'en-US', user_template: 'user-dist', cover: 1 } }),
    server: good([{ id: 1, name: 'web-1', last_active: new Date().toISOString(), ...stamps }]),
    'server-group': good([{ group: { id: 1, name: 'web', created_at: at, updated_at: at }, servers: [1], owner }]),
    cron: good([
      { id: 1, name: 'nightly', task_type: 1, scheduler: '', command: 'true', cover: 0, servers: [1], ...stamps },
    ]),
    transfer: good([
      { id: 1, server_id: 1, status: 0, ...stamps },
      { id: 2, server_id: 1, status: 2, ...stamps },
    ]),
    'api-tokens': good([{ id: 1, name: 'ci', scopes: ['nezha:cron:*'], server_ids: [], ...stamps }]),
    user: good([{ id: 1, username: 'kim', role: 1, totp: true, ...stamps }]),
    'profile/totp': good({ uri: 'otpauth://totp/x?secret=ABC', key: 'ABC' }),
    waf: good({ value: [{ id: 1, ip: '203.0.113.7', count: 3 }], pagination: { total: 1 } }),
    'online-user': good({ value: [{ id: 1, ip: '203.0.113.7', connected_at: at }], pagination: { total: 1 } }),
    session: good([{ id: 1, kind: 'login', client: 'x', is_current: false, ...stamps }]),
    'service/list': good(
      [1, 2].map((id) => ({
        ...{ id, name: `site-${id}`, type: 1, target: 'https://example.net', duration: 30, cover: 0, skip_servers: {} },
        ...stamps,
      })),
    ),
    notification: good([{ id: 1, name: 'chat', request_method: 2, request_type: 1, ...stamps }]),
    'notification-group': good([{ group: { id: 1, name: 'all', created_at: at, updated_at: at }, notifications: [1] }]),
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
    'maintenance-window': good([
      { id: 1, name: 'disks', starts_at: at, ends_at: '2026-11-20T13:00:00Z', cover: 1, servers: [1], ...stamps },
    ]),
    'server/config/1': good('{"report_delay":3}'),
    'run/1': good(ranAs({ failure: 1 }, null)),
    'run/2': good(ranAs({ waiting: 1 }, 'going')),
    'run/3': good(ranAs({ waiting: 1 }, 'paused')),
  }
  /** The record that a command is tried on, where it is not the first. */
  const records: Readonly<Record<string, string>> = {
    'waf block': '203.0.113.9',
    api: 'POST',
    'alert-rule enable': '2',
    'incident unsilence': '2',
    'run pause': '2',
    'service move-up': '2',
    'run resume': '3',
    'run stop': '2',
    'transfer retry': '2',
  }
  const values: Readonly<Record<string, readonly string[]>> = {
    'server config': ['--report-delay', '2'],
    api: ['waf/block'],
    'server groups': ['--add', 'web'],
    'server move': ['--to-user', 'kim'],
    'server public-note': ['--amount', '5'],
    exec: ['--command', 'uptime'],
    'incident note': ['looked at it'],
    'api-token create': ['--name', 'n', '--scopes', 'nezha:cron:read'],
    'user create': ['--username', 'n', '--new-password-file', '-'],
    'user duplicate': ['--new-password-file', '-'],
    'user edit': ['--username', 'other'],
    'cron create': ['--name', 'n', '--command', 'true', '--task-type', 'triggered', '--cover', 'all-except'],
    'service create': ['--name', 'n', '--target', 'https://example.net'],
    'notification create': ['--name', 'n', '--url-file', '-'],
    'notification duplicate': ['--url-file', '-'],
    'alert-rule create': ['--name', 'n'],
    'maintenance-window create': ['--name', 'n', '--starts-at', 'now', '--ends-at', '+2h', '--cover', 'all-except'],
    'notification-group create': ['--name', 'n'],
    'server-group create': ['--name', 'n'],
    'setting set': ['--site-name', 'Bridge'],
    'account totp': ['--code', '123456'],
    'account password': ['--current-file', '-', '--new-file', '-'],
  }
  const changing = leaves.filter(([, { flags = [] }]) => flags.some(({ flags: text }) => text === '--dry-run'))

  test.each(changing)('%s', async (path, { args }) => {
    const totp = !path.endsWith(' totp')
    const profile = good({ id: 1, username: 'admin', role: 0, totp, ...stamps })
    const server = await startRecordingServer({ ...replies, profile })
    const words = [
      ...path.split(' '),
      ...(args ? [records[path] ?? '1'] : []),
      ...(values[path] ?? (path.endsWith('edit') ? ['--name', 'other'] : [])),
    ]
    const env = { QD_URL: server.url, QD_TOKEN: 'nzp_x' }
    const io = createTestIo({ args: [...words, '--dry-run'], env, input: 'https://long-secret.example.net\n' })
    const code = await runProgram(io)
    const { stdout, stderr } = io.written()
    expect({ code, changes: server.changes, stderr }).toEqual({
      code: 0,
      changes: [],
      stderr: expect.stringMatching(/Nothing was sent\n$/),
    })
    expect(stdout).toMatch(/^(POST|PATCH|DELETE) \/api\/v1\/\S+/)
    expect(stdout).not.toContain('long-secret')
    await server.close()
  })

  test('every command that changes something has the flag', () => {
    const reading =
      /^(\S+ (ls|get|history|events|wait)|server (re)?install|account secret|login|logout|whoami|open|help|completion|export \w+(-\w+)?|profile \w+)$/
    expect(leaves.map(([path]) => path).filter((path) => !reading.test(path))).toEqual(changing.map(([path]) => path))
  })
})
