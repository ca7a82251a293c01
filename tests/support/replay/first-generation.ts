/**
 * What a dashboard of 1.x has otherwise than the recordings, which are of 2.x. Source: contract http-api 10 and the notes "old" there.
 */

/** Calls that are POST today and were GET. */
const moved: readonly RegExp[] = [/^refresh-token$/, /^file$/, /^cron\/\d+\/manual$/]

/** Routes that came later. */
const later: readonly RegExp[] = [
  /^api-tokens/,
  /^transfer/,
  /^batch-move\//,
  /^maintenance$/,
  /^server\/\d+\/(service|metrics)$/,
  /^service\/\d+\/history$/,
  /^ws\/transfer$/,
]

/** A call as a dashboard of 2.x would know it; null where 1.x has no such route. */
export function asToday(method: string, path: string): { method: string; path: string } | null {
  if (later.some((route) => route.test(path))) return null
  if (!moved.some((route) => route.test(path))) return { method, path }
  return method === 'GET' ? { method: 'POST', path } : null
}

type Row = Record<string, unknown>

/** An answer as 1.x gives it. */
export function asBefore(path: string, data: unknown): unknown {
  const [entity = ''] = path.split(/[/?]/)
  const change = changes[entity]
  if (!change || typeof data !== 'object' || data === null) return data
  return Array.isArray(data) ? data.map((row) => change(row as Row)) : change(data as Row)
}

/** An administrator had no role; everybody’s password hash was sent. */
const person = ({ role, ...row }: Row): Row => ({ ...row, ...(role !== 0 && { role }), password: '$2a$10$hash' })

const changes: Readonly<Record<string, (row: Row) => Row>> = {
  profile: person,
  user: person,
  server: ({ owner, ...row }) => row,
  service: ({ hide_for_guest, display_index, ...row }) =>
    'skip_servers' in row ? { ...row, ...(!hide_for_guest && { enable_show_in_service: true }) } : row,
  notification: ({ format_metric_units, ...row }) => ({
    ...row,
    url: 'https://hooks.example.com/x?m=#NEZHA#',
    request_header: '{"X-Key":"abc"}',
    request_body: '{"text":"#NEZHA#"}',
  }),
  ddns: (row) => ({ ...row, access_secret: 'secret', webhook_headers: '{"A":"b"}' }),
  setting: ({ tsdb_enabled, config, ...row }) => {
    const { admin_template, dashboard_host, reserved_hosts, enable_mcp, ...known } = config as Row
    return { ...row, config: known, ...('version' in row && { version: '1.12.4' }) }
  },
}

/** What 1.x calls a value of a form, where it is another name. */
export function formBefore(path: string, body: unknown): unknown {
  if (!/^service(\/\d+)?$/.test(path) || typeof body !== 'object' || body === null) return body
  const { hide_for_guest, display_index, ...known } = body as Row
  return { ...known, enable_show_in_service: !hide_for_guest }
}
