import * as z from 'zod'
import {
  type AnyRow,
  type ApiPort,
  type DetailDefinition,
  defineAction,
  defineResource,
  lazy,
} from '../define/index.ts'
import { toAppError } from '../errors.ts'
import {
  common,
  commonKinds,
  id,
  ids,
  instant,
  markedIds,
  marks,
  owner,
  ownerKind,
  serviceOverview,
  WatchCover,
  watchTargets,
} from '../schemas/index.ts'
import {
  byHand,
  checkSelection,
  driftField,
  selectionFields,
  selectionInitial,
  selectionInput,
  selectionKinds,
} from './following.ts'
import { moveAction } from './order.ts'
import {
  causeOf,
  certificateLeft,
  certificateLimits,
  ServiceState,
  ServiceStatus,
  serviceStateOf,
  serviceStatusOf,
} from './service-state.ts'
import { ServiceType, targetFault } from './service-target.ts'

const serviceDetail = {
  sections: [
    { kind: 'problem', field: 'error' },
    { kind: 'lead', field: 'target' },
    {
      kind: 'facts',
      fields: [
        'state',
        'status_since',
        'type',
        'duration',
        'reach',
        'server_query',
        'drift',
        'delay',
        'answered_by',
        'up_percent',
        'cert_expires_at',
        'cert_issuer',
        'hide_for_guest',
      ],
    },
    { kind: 'days', field: 'days' },
    { kind: 'latency', path: 'service/{id}/history' },
    { kind: 'notifies', group: 'notification_group_id', when: ['notify', 'latency_notify'] },
    { kind: 'related', of: 'incident', by: 'service_id', fields: ['state', 'lasted', 'reading'] },
    { kind: 'rest', without: ['status', 'cover', 'skip_servers'] },
  ],
} as const satisfies DetailDefinition<string>

/** Sends both names of the field; each server ignores the unknown one (decisions.md, `hide_for_guest`). */
function encode(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...values, skip_servers: marks(values.skip_servers), enable_show_in_service: !values.hide_for_guest }
}

/** Decodes either name. Servers omit false values; only those with the older name have no weight (contract http-api 4.5). */
function decode(item: unknown): Record<string, unknown> {
  const { enable_show_in_service, ...row } = item as Record<string, unknown>
  const isLeftOut = enable_show_in_service === undefined
  const isHidden =
    row.hide_for_guest ?? (isLeftOut ? 'id' in row && !('display_index' in row) : !enable_show_in_service)
  return { ...row, skip_servers: markedIds(row.skip_servers), hide_for_guest: isHidden }
}

/** Keeps invalid maps, which the schema refuses. */
function decodeBody(body: unknown): Record<string, unknown> {
  const { skip_servers: map } = body as { skip_servers?: unknown }
  return { ...decode(body), ...(Array.isArray(map) && { skip_servers: {} }) }
}

const shareOf = (up: number, down: number): number | null => (up + down === 0 ? null : (up / (up + down)) * 100)

const saysNoState = (item: unknown) => typeof item === 'object' && item !== null && !('status' in item)

/** Nezha returns states by a separate call (contract engines 2.9), without durations. Without permission for it the list is returned as it is. */
async function load(items: readonly unknown[], api: ApiPort): Promise<readonly unknown[]> {
  if (!items.some(saysNoState)) return items
  try {
    const { services } = serviceOverview().parse(await api.send({ method: 'GET', path: 'service' }))
    return items.map((item) => {
      const one = saysNoState(item) && services[(item as { id: number }).id]
      if (!one) return item
      const { current_up: up, current_down: down } = one
      return {
        ...(item as object),
        status: serviceStatusOf({ up, down }),
        // Today’s mean continues without responses.
        delay: up > 0 ? one.delay.at(-1) || null : null,
        up_percent: shareOf(one.total_up, one.total_down),
        days: one.up.map((good, day) => shareOf(good, one.down[day] ?? 0) ?? -1),
      }
    })
  } catch (thrown) {
    if (!['noRoute', 'forbidden', 'tokenForbidden', 'failed'].includes(toAppError(thrown).code)) throw thrown
    return items
  }
}

const checkCapability = 'service-check'
const resultsCapability = 'service-results'
const orderCapability = 'service-order'
/** Minimum interval in the form, in seconds (spec section 5). */
const leastSeconds = 30

const input = lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).max(128),
      type: z.enum(ServiceType),
      target: z.string().trim().min(1).max(2048),
      duration: z.int().min(leastSeconds).max(86_400),
      display_index: z.int(),
      cover: z.enum(WatchCover),
      skip_servers: ids,
      ...selectionInput(),
      notify: z.boolean(),
      notification_group_id: id,
      latency_notify: z.boolean(),
      min_latency: z.int().min(0),
      max_latency: z.int().min(0),
      enable_trigger_task: z.boolean(),
      fail_trigger_tasks: ids,
      recover_trigger_tasks: ids,
      hide_for_guest: z.boolean(),
    })
    .superRefine((typed, context) => {
      checkSelection(typed, context)
      const code = targetFault(typed)
      if (code !== null) context.addIssue({ code: 'custom', path: ['target'], params: { code } })
    }),
)

/** Servers accept shorter intervals than the form’s 30 s (contract engines 2.1). */
export const serviceAccepts = lazy(() => input().safeExtend({ duration: z.int().min(1).max(31_536_000) }))

const added = lazy(() => ({
  ...common,
  status: z.int(),
  status_since: instant.nullable(),
  delay: z.number().nullable(),
  error: z.string(),
  answered_by: z.string(),
  up_percent: z.number().nullable(),
  days: z.array(z.number()),
  trend: z.array(z.number()),
  cert_issuer: z.string(),
  cert_expires_at: instant.nullable(),
  owner,
}))

type Service = z.output<ReturnType<typeof input>> & z.output<z.ZodObject<ReturnType<typeof added>>>

const wanted = { latency_notify: { is: true } }
const triggers = { enable_trigger_task: { is: true } }

const bodyOf = (row: AnyRow) =>
  encode(Object.fromEntries(Object.keys(input().shape).map((field) => [field, row[field]])))
const ordered = {
  ...({ resource: 'service', path: 'service', scope: 'nezha:service:write' } as const),
  capability: orderCapability,
  bodyOf,
}

const check = defineAction<Service>()({
  on: 'many',
  scope: 'nezha:service:write',
  icon: 'activity',
  key: 'r',
  aliases: ['probe', 'check now', 'run'],
  capability: checkCapability,
  wire: { method: 'POST', path: 'service/{id}/check' },
})

const targetsOf = ({ cover, skip_servers }: Pick<Service, 'cover' | 'skip_servers'>) =>
  watchTargets({ cover, servers: skip_servers })

export const service = defineResource({
  name: 'service',
  icon: 'activity',
  go: 'g v',
  input,
  added,
  initial: { type: ServiceType.http, duration: leastSeconds, cover: WatchCover.allExcept, ...selectionInitial },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always', wide: true },
    type: { kind: 'choice', wide: true, options: ServiceType, words: true },
    target: { kind: 'address', wide: true, help: true },
    duration: { kind: 'duration', aliases: ['every', 'interval'], flag: true },
    display_index: { kind: 'number', digits: 0, help: true, aliases: ['weight'], requires: orderCapability },
    cover: { kind: 'choice', options: WatchCover, flag: true },
    skip_servers: { kind: 'refs', wide: true, to: 'server', aliases: ['servers'], flag: true },
    ...selectionKinds,
    notify: { kind: 'flag' },
    notification_group_id: {
      kind: 'ref',
      show: 'wide',
      short: true,
      to: 'notification-group',
      aliases: ['tells', 'notification-group'],
      flag: true,
    },
    latency_notify: { kind: 'flag' },
    min_latency: {
      kind: 'number',
      digits: 0,
      unit: 'ms',
      help: true,
      flag: true,
      absentWhen: { min_latency: { is: 0 } },
    },
    max_latency: {
      kind: 'number',
      digits: 0,
      unit: 'ms',
      help: true,
      flag: true,
      absentWhen: { max_latency: { is: 0 } },
    },
    enable_trigger_task: { kind: 'flag' },
    fail_trigger_tasks: { kind: 'refs', to: 'cron' },
    recover_trigger_tasks: { kind: 'refs', to: 'cron' },
    hide_for_guest: { kind: 'flag', aliases: ['hidden'] },
    status: { kind: 'choice', options: ServiceStatus, requires: resultsCapability },
    status_since: { kind: 'instant', aliases: ['since'], requires: checkCapability },
    delay: { kind: 'number', show: 'always', digits: 0, unit: 'ms', aliases: ['latency'], requires: resultsCapability },
    error: { kind: 'note', show: 'detail', requires: checkCapability },
    answered_by: { kind: 'text', requires: checkCapability },
    up_percent: {
      kind: 'number',
      show: 'always',
      short: true,
      digits: 2,
      unit: 'percent',
      limits: { warn: 99, bad: 95 },
      aliases: ['uptime'],
      requires: resultsCapability,
    },
    days: { kind: 'days', show: 'wide', requires: resultsCapability },
    trend: { kind: 'trend', show: 'wide', own: true, requires: checkCapability },
    cert_issuer: { kind: 'text', aliases: ['issuer'], requires: checkCapability },
    cert_expires_at: { kind: 'instant', show: 'detail', aliases: ['expires'], requires: checkCapability },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: ServiceState,
      requires: resultsCapability,
      tones: { up: 'ok', slow: 'warn', unsteady: 'warn', down: 'bad', noData: 'muted' },
      words: true,
      queryWords: { unsteady: 'degraded' },
      from: serviceStateOf,
    },
    reach: { kind: 'targets', from: targetsOf },
    drift: driftField(targetsOf),
    certificate: {
      kind: 'duration',
      show: 'wide',
      requires: checkCapability,
      short: true,
      limits: certificateLimits,
      aliases: ['cert'],
      absentWhen: { cert_expires_at: { is: null } },
      from: certificateLeft,
    },
  },
  columns: [
    'name',
    'state',
    'target',
    'type',
    'days',
    'up_percent',
    'delay',
    'trend',
    'certificate',
    'reach',
    'notification_group_id',
    'cert_expires_at',
    'error',
    'server_query',
    'drift',
  ],
  sort: { field: 'display_index', order: 'desc', ties: 'id' },
  search: ['target', 'error', 'notification_group_id'],
  facet: 'state',
  form: {
    what: ['name', 'type', 'target', 'duration'],
    where: [{ field: 'cover', when: byHand }, { field: 'skip_servers', when: byHand }, ...selectionFields],
    tell: [
      'notification_group_id',
      'notify',
      'latency_notify',
      { field: 'min_latency', when: wanted },
      { field: 'max_latency', when: wanted },
    ],
    act: [
      'enable_trigger_task',
      { field: 'fail_trigger_tasks', when: triggers },
      { field: 'recover_trigger_tasks', when: triggers },
    ],
    visitors: ['hide_for_guest', 'display_index'],
  },
  targets: targetsOf,
  idle: {},
  withTargets: (_values, servers) => ({ cover: WatchCover.onlyListed, skip_servers: servers }),
  scopes: { read: 'nezha:service:read', write: 'nezha:service:write', remove: 'nezha:service:delete' },
  wire: {
    calls: { list: { method: 'GET', path: 'service/list' } },
    load,
    // What Nezha doesn’t say is unknown rather than 0.
    decode: (item) => ({ delay: null, up_percent: null, ...decode(item) }),
    encode,
    decodeInput: (body) => ({
      ...decodeBody(body),
      duration: (body as { duration?: unknown }).duration || leastSeconds,
    }),
    encodeRow: encode,
  },
  open: 'detail',
  detail: serviceDetail,
  state: {
    field: 'state',
    states: ['down', 'downNow', 'slow', 'unsteady', 'unsteadyNow', 'certificate', 'expired'],
    cause: causeOf,
    absence: () => null,
  },
  actions: { check, 'move-up': moveAction(-1, ordered), 'move-down': moveAction(1, ordered) },
})
