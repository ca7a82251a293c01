import { service as serviceResource } from '@qd/core/resources'
import { diskLimit, type Machine } from './machines.ts'
import { checkEverySeconds, reportersOf, services } from './services.ts'

/** Returns `data`; rejects with the server's error. */
export type Call = (method: string, path: string, body?: unknown) => Promise<unknown>

export async function signIn(origin: string, password: string): Promise<Call> {
  const answer = await fetch(`${origin}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
  const csrf = cookies.find((cookie) => cookie.startsWith('nz-csrf='))?.slice('nz-csrf='.length) ?? ''
  const headers = { cookie: cookies.join('; '), 'x-csrf-token': csrf, 'content-type': 'application/json' }
  return async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const said = await fetch(`${origin}/api/v1/${path}`, { method, headers, ...sent })
    const { success, data, error } = (await said.json()) as { success?: boolean; data?: unknown; error?: string }
    if (success !== true) throw new Error(`${method} ${path}: ${error}`)
    return data
  }
}

const groups: Readonly<Record<string, readonly string[]>> = {
  api: ['api'],
  backup: ['backup'],
  build: ['ci'],
  data: ['cache', 'queue'],
  db: ['db'],
  edge: ['edge'],
  lab: ['lab'],
  mail: ['mail'],
  observability: ['logs', 'metrics'],
  web: ['web'],
  worker: ['worker'],
}

export interface SimulatedTask {
  readonly id: number
  readonly name: string
  readonly scheduler: string
  readonly command: string
  readonly kinds: readonly string[]
}

export interface Ids {
  readonly tasks: readonly SimulatedTask[]
  readonly rules: Readonly<Record<'offline' | 'disk' | 'cpu' | 'memory', number>>
  readonly notifiers: readonly { id: number; name: string }[]
}

export async function makeRecords(call: Call, machines: readonly Machine[], start: number): Promise<Ids> {
  const create = async (path: string, body: object) => (await call('POST', path, body)) as number
  const ids = (...kinds: readonly string[]) => machines.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
  const marks = (list: readonly number[]) => Object.fromEntries(list.map((id) => [id, true]))

  const { config } = (await call('GET', 'setting')) as { config: object }
  await call('PATCH', 'setting', { ...config, site_name: 'Quarterdeck demo' })
  for (const [name, kinds] of Object.entries(groups)) await create('server-group', { name, servers: ids(...kinds) })

  const notifier = async (name: string, url: string, body: object) => ({
    name,
    id: await create('notification', {
      ...{ name, url, request_method: 2, request_type: 1, request_body: JSON.stringify(body), request_header: '' },
      ...{ verify_tls: true, format_metric_units: true },
    }),
  })
  const chat = await notifier('ops chat', 'https://chat.example.com/hooks/ops', { text: '#NEZHA#' })
  const pager = await notifier('pager', 'https://pager.example.com/v1/page', {
    summary: '#NEZHA#',
    source: '#SERVER.NAME#',
  })
  const mail = await notifier('team mail', 'https://mail.example.com/send', { to: 'ops@example.com', text: '#NEZHA#' })
  const group = (name: string, list: readonly { id: number }[]) =>
    create('notification-group', { name, notifications: list.map(({ id }) => id) })
  const onCall = await group('on call', [chat, pager])
  const office = await group('office hours', [chat, mail])

  const tasks: SimulatedTask[] = []
  const task = async (name: string, scheduler: string, command: string, kinds: readonly string[]) => {
    const id = await create('cron', {
      ...{ name, scheduler, command, task_type: 0, cover: 0, servers: ids(...kinds) },
      ...{ push_successful: false, notification_group_id: office },
    })
    tasks.push({ id, name, scheduler, command, kinds })
  }
  const onAlert = (name: string, command: string) =>
    create('cron', {
      ...{ name, scheduler: '', command, task_type: 1, cover: 2, servers: [] },
      ...{ push_successful: false, notification_group_id: onCall },
    })
  await task('nightly dump', '0 0 2 * * *', 'pg_dumpall --clean | zstd -q -o /srv/dump/$(date +%F).sql.zst', ['db'])
  await task('check backups', '0 30 5 * * *', 'restic check --read-data-subset=2%', ['backup'])
  await task('renew certificates', '0 12 4 * * *', 'certbot renew --quiet', ['edge', 'mail'])
  await task('rotate logs', '0 0 0 * * *', 'logrotate /etc/logrotate.conf', ['web', 'api'])
  await task('security updates', '0 0 4 * * 2', 'apt-get -y upgrade', ['web', 'api', 'worker'])
  await task('vacuum', '0 30 3 * * 0', 'vacuumdb --all --analyze', ['db'])
  await onAlert('free some disk', 'journalctl --vacuum-size=200M')
  const restart = await onAlert('restart workers', 'systemctl restart worker')

  for (const one of services)
    await create('service', {
      ...(serviceResource.wire.encode(serviceResource.initial) as object),
      ...{ name: one.name, type: one.type, target: one.target, duration: checkEverySeconds },
      ...{ cover: 1, skip_servers: marks(reportersOf(one, machines).map(({ id }) => id)) },
      ...{ notify: true, notification_group_id: one.type === 1 ? onCall : office },
      ...one.values,
    })

  const seconds = (count: number) => ({ duration: count / 3 })
  const all = { cover: 0, ignore: {} }
  const rule = (name: string, rules: readonly object[], values: object = {}) =>
    create('alert-rule', {
      ...{ name, rules, enable: true, trigger_mode: 1, notification_group_id: onCall },
      ...{ fail_trigger_tasks: [], recover_trigger_tasks: [] },
      ...values,
    })
  const rules = {
    offline: await rule('offline', [{ type: 'offline', ...seconds(90), cover: 0, ignore: marks(ids('lab')) }]),
    disk: await rule('disk nearly full', [{ type: 'disk', max: diskLimit, ...seconds(300), ...all }]),
    cpu: await rule('CPU busy', [{ type: 'cpu', max: 97, ...seconds(600), ...all }], { fail_trigger_tasks: [restart] }),
    memory: await rule('memory short', [{ type: 'memory', max: 96, ...seconds(300), ...all }]),
  }
  await rule(
    'monthly traffic',
    [
      {
        ...{ type: 'transfer_all_cycle', max: 400 * 2 ** 40, cover: 1, ignore: marks(ids('edge')) },
        ...{ cycle_start: '2026-01-01T00:00:00Z', cycle_interval: 1, cycle_unit: 'month' },
      },
    ],
    { notification_group_id: office },
  )
  await rule('swap in use', [{ type: 'swap', max: 60, ...seconds(600), ...all }], { enable: false })

  const at = (hours: number) => new Date(start + hours * 3_600_000).toISOString()
  const window = (name: string, from: number, to: number, values: object) =>
    create('maintenance-window', {
      ...{ name, starts_at: at(from), ends_at: at(to), cover: 1, servers: [], services: [], note: '' },
      ...values,
    })
  await window('lab moves to rack 7', -1, 47, { servers: ids('lab'), note: 'Ask Kim before you power anything off.' })
  await window('database upgrade', 31, 34, { servers: ids('db'), services: [6], note: 'One replica at a time.' })
  await window('new core switch', -9 * 24, -9 * 24 + 3, { servers: ids('edge') })
  await window('kernel updates', -16 * 24, -16 * 24 + 5, { servers: ids('web', 'api') })

  const profile = {
    ...{ enable_ipv4: true, enable_ipv6: false, max_retries: 3, access_id: '', access_secret: '', provider: 'webhook' },
    ...{ webhook_method: 1, webhook_request_type: 1, webhook_headers: '', webhook_request_body: '' },
  }
  const ddns = (name: string, domains: readonly string[]) =>
    create('ddns', { ...profile, name, domains, webhook_url: 'https://dns.example.com/update?name=#domain#&ip=#ip#' })
  await ddns('edge names', ['edge.example.net', 'www.example.net'])
  await ddns('mail names', ['mx1.example.net'])
  const nat = (name: string, server: string, host: string, enabled: boolean) =>
    create('nat', {
      ...{ name, host, enabled, domain: `${name}.example.net` },
      server_id: machines.find((one) => one.name === server)!.id,
    })
  await nat('grafana', 'metrics-fra-1', '127.0.0.1:3000', true)
  await nat('queue-admin', 'queue-fra-1', '127.0.0.1:15672', true)
  await nat('mail-admin', 'mail-fra-1', '10.0.0.4:8443', false)

  await create('user', { username: 'kim', password: memberPassword(), role: 1 })
  await create('user', { username: 'sam', password: memberPassword(), role: 1 })
  const token = (name: string, scopes: readonly string[]) =>
    call('POST', 'api-tokens', { name, scopes, server_ids: [], expires_in_days: 180 })
  await token('prometheus', ['nezha:inventory:read', 'nezha:service:read'])
  await token('deploy pipeline', ['nezha:inventory:read', 'nezha:cron:read', 'nezha:cron:exec'])
  for (const [address, duration, note] of [
    ['203.0.113.250', 30 * 86_400, 'guessed passwords'],
    ['198.51.100.240/28', 0, 'scans every night'],
  ] as const)
    await call('POST', 'waf/block', { address, duration, note })
  return { tasks, rules, notifiers: [chat, pager] }
}

const memberPassword = () => crypto.randomUUID()
