import { runProgram } from '../../../apps/tui/src/start/program.ts'
import { createTestIo, type TestIoOptions } from './io.ts'
import { good, type RecordingServer, type Reply, startRecordingServer } from './server.ts'

const at = '2026-11-20T12:00:00Z'
const stamps = { created_at: at, updated_at: at, owner: { id: 1, username: 'admin', admin: true } }

/** Answers of a server with two of each record that monitoring has. */
export const monitoringWorld = {
  profile: good({ id: 1, username: 'admin', role: 0, ...stamps }),
  capabilities: good({
    capabilities: [
      'if-match',
      'incidents',
      'maintenance',
      'history',
      'notifier-test',
      'incident-notes',
      'service-check',
      'service-results',
      'service-order',
      'backtest',
      'clear-secrets',
    ],
  }),
  setting: good({
    config: { site_name: 'Fleet', language: 'en-US', user_template: 'user-dist', cover: 1, time_zone: 'UTC' },
  }),
  // Of now whenever it is served: a run of tests takes longer than a server counts as online.
  get server() {
    return good([
      { id: 1, name: 'web-1', last_active: new Date().toISOString(), ...stamps },
      { id: 2, name: 'db-1', ...stamps },
    ])
  },
  'server-group': good([{ group: { id: 1, name: 'web', created_at: at, updated_at: at }, servers: [1] }]),
  cron: good([{ id: 1, name: 'restart', task_type: 1, command: 'true', cover: 0, servers: [1], ...stamps }]),
  'service/list': good([
    ...[1, 2].map((id) => ({
      ...{ id, name: `site-${id}`, type: 1, target: 'https://example.net', duration: 30, cover: 0, skip_servers: {} },
      ...stamps,
    })),
  ]),
  notification: good([
    {
      ...{ id: 1, name: 'chat', request_method: 2, request_type: 1, has_header: true, ...stamps },
      masked_header: '{"X-Key": "••••••"}',
    },
  ]),
  'notification-group': good([{ group: { id: 1, name: 'night', created_at: at, updated_at: at }, notifications: [1] }]),
  'alert-rule': good(
    [true, true].map((enable, index) => ({
      ...{ id: index + 1, name: `busy-${index + 1}`, enable, notification_group_id: 1 },
      rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }],
      ...stamps,
    })),
  ),
  incident: good({
    value: [{ id: 1, name: 'busy', state: 'open', opened_at: at, ...stamps }],
    pagination: { total: 1 },
  }),
  'incident/1': good({
    ...{ id: 1, name: 'busy', state: 'closed', opened_at: at, closed_at: '2026-11-20T12:09:00Z', ...stamps },
    told: [{ notification_id: 1, name: 'chat', at: '2026-11-20T12:00:05Z', ok: false, error: 'refused' }],
    responses: [{ at: '2026-11-20T12:03:00Z', kind: 'note', by: 'alice', text: 'looks like the disk' }],
  }),
  'maintenance-window': good([
    { id: 1, name: 'disks', starts_at: at, ends_at: '2026-11-20T13:00:00Z', cover: 1, servers: [1], ...stamps },
  ]),
} as const

/** Runs `qd` against one server of monitoring, with some more answers of the first call; `close` ends it after a test. */
export function createMonitoring() {
  let server: RecordingServer | null = null
  type Replies = Readonly<Record<string, Reply>>

  async function qd(words: string, { replies = {}, args = [], ...more }: { replies?: Replies } & TestIoOptions = {}) {
    server ??= await startRecordingServer({ ...monitoringWorld, ...replies })
    const env = { QD_URL: server.url, QD_TOKEN: 'nzp_x' }
    const io = createTestIo({ args: [...words.split(' '), ...args], env, ...more })
    const code = await runProgram(io)
    return { code, changes: server.changes, asked: server.requests.map(({ path }) => path), ...io.written() }
  }

  return {
    qd,
    close: async () => {
      await server?.close()
      server = null
    },
  }
}
