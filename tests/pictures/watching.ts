import { setTimeout as sleep } from 'node:timers/promises'
import { serviceBody } from '../support/bodies.ts'
import type { Browser } from '../support/browser.ts'
import type { Receiver } from '../support/peers/receiver.ts'
import { monitors } from './monitors.ts'

/** Records that the pictures of monitoring show. */
export interface Watching {
  /** Id of a monitor that is slow. */
  readonly slowService: number
  /** Id of the incident of the busy server. */
  readonly incident: number
}

interface Incident {
  readonly id: number
  readonly name: string
  readonly state: string
}

interface Parts {
  readonly receiver: Receiver
  readonly ids: ReadonlyMap<string, number>
  /** Machines that answer no probes. */
  readonly silent: readonly string[]
  /** Gives the tight machine its memory back. */
  relieve(): void
}

const GiB = 2 ** 30
const lookEveryMs = 500
const longestMs = 90_000

/** Makes notifiers, groups, monitors and alert rules, and waits until something has failed and something is over. */
export async function createWatching(browser: Browser, { receiver, ids, silent, relieve }: Parts): Promise<Watching> {
  const create = async (path: string, body: object) => (await browser.api('POST', path, body)) as number
  const marks = (names: readonly string[]) => Object.fromEntries(names.map((name) => [ids.get(name)!, true]))
  const groups = await createGroups(browser, receiver)
  for (const { name, type, target, only, values } of monitors) {
    const id = await create(
      'service',
      serviceBody({
        ...{ name, type, target, duration: 30, notify: true, notification_group_id: groups.oncall },
        ...(type === 2 && { notification_group_id: groups.net }),
        ...{ cover: only ? 1 : 0, skip_servers: marks(only ?? silent) },
        ...values,
      }),
    )
    await browser.api('POST', `service/${id}/check`)
  }

  const tasks = (await browser.api('GET', 'cron')) as readonly { id: number; name: string }[]
  const task = (name: string) => tasks.filter((one) => one.name === name).map(({ id }) => id)
  const all = { cover: 0, ignore: marks([]) }
  const seconds = (count: number) => ({ duration: count / 3 })
  const plain = { enable: true, trigger_mode: 1, notification_group_id: groups.oncall }
  const rule = (name: string, rules: readonly object[], values: object = {}) =>
    create('alert-rule', { ...plain, name, rules, fail_trigger_tasks: [], recover_trigger_tasks: [], ...values })
  const withoutLabs = { cover: 0, ignore: marks(['lab-1', 'lab-2']) }
  await rule(
    'cpu-hot',
    [
      { type: 'cpu', max: 90, ...seconds(30), ...withoutLabs },
      { type: 'load5', max: 6, ...seconds(30), ...withoutLabs },
    ],
    { fail_trigger_tasks: task('restart-workers') },
  )
  await rule('disk-full', [{ type: 'disk', max: 90, ...seconds(30), ...all }], {
    recover_trigger_tasks: task('rotate-logs'),
  })
  await rule('mem-tight', [{ type: 'memory', max: 88, ...seconds(15), ...all }])
  await rule(
    'month-transfer',
    [
      {
        ...{ type: 'transfer_all_cycle', max: 20 * 1024 * GiB },
        ...{ cycle_start: '2026-01-01T00:00:00+01:00', cycle_interval: 1, cycle_unit: 'month' },
        ...{ cover: 1, ignore: marks(['edge-fra-1', 'edge-fra-2', 'edge-sin-1']) },
      },
    ],
    { notification_group_id: groups.net },
  )
  await rule('offline', [{ type: 'offline', ...seconds(90), cover: 0, ignore: marks(['edge-nrt-1', 'edge-sjc-2']) }], {
    trigger_mode: 0,
  })
  await rule('swap', [{ type: 'swap', max: 50, ...seconds(600), ...all }], { enable: false })

  const isThere = (incidents: readonly Incident[], name: string, state: string) =>
    incidents.some((one) => one.name === name && one.state === state)
  await incidentsWhen(browser, (now) => isThere(now, 'mem-tight', 'open'))
  relieve()
  const now = await incidentsWhen(browser, (list) =>
    [
      isThere(list, 'mem-tight', 'closed'),
      ...['cpu-hot', 'disk-full', 'resolver b'].map((name) => isThere(list, name, 'open')),
    ].every(Boolean),
  )
  const called = (name: string) => now.find((one) => one.name === name)!.id
  await browser.api('POST', `incident/${called('disk-full')}/ack`)
  return {
    slowService: monitors.findIndex(({ name }) => name === 'login') + 1,
    incident: called('cpu-hot'),
  }
}

/** Two notifiers that reach the receiver, and who is told what. */
async function createGroups(browser: Browser, receiver: Receiver): Promise<{ oncall: number; net: number }> {
  const { config } = (await browser.api('GET', 'setting')) as { config: object }
  await browser.api('PATCH', 'setting', { ...config, outbound_allowlist: [`127.0.0.1:${receiver.port}`] })
  const notifier = (name: string, path: string, body: string) =>
    browser.api('POST', 'notification', {
      ...{ name, url: `${receiver.origin}${path}`, request_method: 2, request_type: 1, request_body: body },
      ...{ request_header: '{"Authorization":"Bearer made-up"}', verify_tls: true, format_metric_units: true },
    })
  const chat = await notifier('chat-ops', '/hooks/ops', '{"text":"#NEZHA#"}')
  const pager = await notifier('pager', '/page', '{"summary":"#NEZHA#","source":"#SERVER.NAME#"}')
  const group = async (name: string, notifications: readonly unknown[]) =>
    (await browser.api('POST', 'notification-group', { name, notifications })) as number
  return { oncall: await group('ops-oncall', [chat, pager]), net: await group('net', [chat]) }
}

/** Looks at the incidents until they are as wanted. Errors: rejects with them where that does not come. */
async function incidentsWhen(
  browser: Browser,
  isReady: (incidents: readonly Incident[]) => boolean,
): Promise<readonly Incident[]> {
  for (const until = Date.now() + longestMs; ; await sleep(lookEveryMs)) {
    const { value = [] } = (await browser.api('GET', 'incident')) as { value?: readonly Incident[] }
    if (isReady(value)) return value
    if (Date.now() > until) throw new Error(`incidents as they are: ${JSON.stringify(value)}`)
  }
}
