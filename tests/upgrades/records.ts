import type { Browser } from '../support/browser.ts'

/** What is made in a data folder and looked for after an upgrade: the calls that make it, and the names that are listed. */
export interface Kind {
  path: string
  /** Where it is listed, if not at the same path. */
  list?: string
  body: object
}

const everything = { cover: 0, servers: [] as number[] }

/** One record of each kind; a version that does not know a kind refuses it, and its folder goes without. */
export const kinds: readonly Kind[] = [
  { path: 'server-group', body: { name: 'old group', servers: [1] } },
  {
    path: 'cron',
    body: { ...everything, name: 'old task', task_type: 0, scheduler: '0 0 3 * * *', command: 'uptime', servers: [1] },
  },
  {
    path: 'notification',
    body: {
      name: 'old notifier',
      url: 'https://example.com/hook',
      request_method: 2,
      request_type: 1,
      request_header: '',
      request_body: '{"text":"#NEZHA#"}',
      verify_tls: true,
      skip_check: true,
    },
  },
  { path: 'notification-group', body: { name: 'old tell', notifications: [1] } },
  {
    path: 'service',
    list: 'service/list',
    body: {
      name: 'old service',
      type: 3,
      target: '192.0.2.1:443',
      duration: 86_400,
      cover: 1,
      skip_servers: { 1: true },
    },
  },
  {
    path: 'alert-rule',
    body: {
      name: 'old rule',
      rules: [{ type: 'offline', duration: 60, cover: 0, ignore: {} }],
      fail_trigger_tasks: [],
      recover_trigger_tasks: [],
      notification_group_id: 1,
      trigger_mode: 0,
      enable: true,
    },
  },
  { path: 'api-tokens', body: { name: 'old token', scopes: ['nezha:server:read'] } },
  {
    path: 'maintenance-window',
    body: {
      name: 'old window',
      starts_at: '2030-01-01T00:00:00Z',
      ends_at: '2030-01-01T02:00:00Z',
      cover: 1,
      servers: [1],
      services: [],
      note: '',
    },
  },
]

/** Names of the records of each kind that a server lists, sorted; kinds that it does not know are absent. */
export async function listed(browser: Browser): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const path of ['server', ...kinds.map((kind) => kind.list ?? kind.path)]) {
    const { body } = await browser.send('GET', `/api/v1/${path}`)
    if (!body?.success) continue
    const { value = body.data } = (body.data ?? {}) as { value?: unknown }
    const rows = Array.isArray(value) ? (value as Record<string, unknown>[]) : []
    if (rows.length > 0) found[path] = rows.map(nameOf).sort()
  }
  const { body } = await browser.send('GET', '/api/v1/setting')
  const { config } = (body?.data ?? {}) as { config?: { site_name?: string } }
  if (config?.site_name) found.setting = [config.site_name]
  return found
}

/** Lists of groups have what they are of in a part of its own. */
function nameOf({ group, ...row }: Record<string, unknown> & { group?: Record<string, unknown> }): string {
  return String((group ?? row).name)
}
