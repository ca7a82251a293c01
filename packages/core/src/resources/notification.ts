import * as z from 'zod'
import {
  defineAction,
  defineResource,
  lazy,
  namedOptions,
  type Report,
  type SayContext,
  type Values,
} from '../define/index.ts'
import { AppError } from '../errors.ts'
import {
  common,
  commonKinds,
  fillRequest,
  instant,
  isHeaders,
  isWebAddress,
  longestBody,
  owner,
  ownerKind,
  RequestMethod,
  type RequestTemplate,
  RequestType,
  type TemplateServer,
  templateProblems,
} from '../schemas/index.ts'
import { siteTimeZone } from './setting.ts'

const maxShown = 4000

/**
 * The request that the typed notifier would send for a server: first line, headers, body. Stored secrets are empty. Empty if it can’t be built,
 * which its fields explain.
 */
export function previewNotifier(values: Values, { translator, view }: SayContext): readonly string[] {
  const servers = view.all('server')
  const sample = servers.find(({ last_active }) => last_active !== null) ?? servers[0]
  const template = { ...values, request_header: values.request_header ?? '', request_body: values.request_body ?? '' }
  try {
    const { method, url, headers, body } = fillRequest(template as RequestTemplate, {
      message: translator.t('ui.notifier.sampleMessage', { name: String(sample?.name ?? 'web-1') }),
      at: view.now,
      timeZone: siteTimeZone(view),
      server: (sample as TemplateServer | undefined) ?? null,
      units: values.format_metric_units === true,
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${method} ${url}`, ...lines, ...(body ? [body.slice(0, maxShown)] : [])]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

const json = (url: string, body: Readonly<Record<string, unknown>>) => ({
  url,
  request_method: RequestMethod.POST,
  request_type: RequestType.json,
  request_body: JSON.stringify(body, null, 2),
})

const notifierPresets = {
  slack: json('https://hooks.slack.com/services/<token>', { text: '#NEZHA#' }),
  telegram: json('https://api.telegram.org/bot<token>/sendMessage', { chat_id: '<chat>', text: '#NEZHA#' }),
  discord: json('https://discord.com/api/webhooks/<id>/<token>', { content: '#NEZHA#' }),
  gotify: json('https://gotify.example.com/message?token=<token>', {
    title: 'Quarterdeck',
    message: '#NEZHA#',
    priority: 5,
  }),
  ntfy: json('https://ntfy.sh/', { topic: '<topic>', title: 'Quarterdeck', message: '#NEZHA#' }),
  mail: json('https://mail.example.com/send', { to: 'ops@example.com', subject: 'Quarterdeck', text: '#NEZHA#' }),
  dingtalk: json('https://oapi.dingtalk.com/robot/send?access_token=<token>', {
    msgtype: 'text',
    text: { content: '#NEZHA#' },
  }),
  wecom: json('https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=<key>', {
    msgtype: 'text',
    text: { content: '#NEZHA#' },
  }),
  feishu: json('https://open.feishu.cn/open-apis/bot/v2/hook/<token>', {
    msg_type: 'text',
    content: { text: '#NEZHA#' },
  }),
  generic: json('https://example.com/hook', { message: '#NEZHA#', server: '#SERVER.NAME#', time: '#DATETIME#' }),
}

const testCapability = 'notifier-test'

const input = lazy(() =>
  z.strictObject({
    name: z.string().min(1).max(128),
    url: z
      .string()
      .trim()
      .max(4096)
      .refine(isWebAddress, { params: { code: 'notUrl' } }),
    request_method: z.enum(RequestMethod),
    request_type: z.enum(RequestType),
    request_header: z
      .string()
      .max(65_536)
      .refine(isHeaders, { params: { code: 'notHeaders' } })
      .nullable(),
    request_body: z.string().max(longestBody).nullable(),
    verify_tls: z.boolean(),
    format_metric_units: z.boolean(),
    skip_check: z.boolean(),
  }),
)

const added = lazy(() => ({
  ...common,
  host: z.string(),
  has_header: z.boolean(),
  has_body: z.boolean(),
  masked_header: z.string(),
  masked_body: z.string(),
  last_sent_at: instant.nullable(),
  last_error: z.string(),
  owner,
}))

type Notification = z.output<ReturnType<typeof input>> & z.output<z.ZodObject<ReturnType<typeof added>>>

const SendState = namedOptions('never', 'ok', 'failing')

const sent = lazy(() => z.object({ status: z.int().catch(0), ms: z.number().catch(0), host: z.string().catch('') }))

/** Fields that affect the body; other edits keep a stored body. */
const bodyFields = ['request_method', 'request_type', 'request_body', 'format_metric_units'] as const

function validate(values: z.output<ReturnType<typeof input>>, stored: Values | null) {
  if (stored && bodyFields.every((field) => values[field] === stored[field])) return []
  return templateProblems({ ...values, request_body: values.request_body ?? '' }, values.format_metric_units)
}

function testReport(answer: unknown): Report {
  const { status, ms, host } = sent().catch({ status: 0, ms: 0, host: '' }).parse(answer)
  return ({ translator, format }) => [
    { text: translator.t('ui.notifier.taken', { host, status, time: format.latency(ms) }), tone: 'ok' },
  ]
}

const test = defineAction<Notification>()({
  on: 'one',
  scope: 'nezha:notification:write',
  icon: 'send',
  key: 'r',
  aliases: ['send test', 'try'],
  capability: testCapability,
  wire: { method: 'POST', path: 'notification/{id}/test' },
  outcome: (answer) => ({ kind: 'report', report: testReport(answer), data: answer }),
})

export const notification = defineResource({
  name: 'notification',
  icon: 'send',
  family: 'notification',
  go: 'g n',
  input,
  added,
  initial: {
    request_method: RequestMethod.GET,
    request_type: RequestType.json,
    verify_tls: true,
    format_metric_units: true,
  },
  presets: notifierPresets,
  validate,
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always', wide: true },
    url: { kind: 'secret', wide: true, needed: true, template: true, help: true },
    request_method: { kind: 'choice', options: RequestMethod, aliases: ['method'], short: true },
    request_type: { kind: 'choice', show: 'wide', options: RequestType, short: true },
    request_header: {
      kind: 'secret',
      wide: true,
      has: 'has_header',
      masked: { field: 'masked_header', as: 'headers' },
      lines: true,
      help: true,
      aliases: ['header'],
    },
    request_body: {
      kind: 'secret',
      wide: true,
      has: 'has_body',
      masked: { field: 'masked_body', as: 'text' },
      lines: true,
      template: true,

      help: true,
      aliases: ['body'],
    },
    verify_tls: { kind: 'flag' },
    format_metric_units: { kind: 'flag', help: true },
    skip_check: { kind: 'flag', formOnly: { inFiles: true } },
    host: { kind: 'address', requires: testCapability },
    has_header: { kind: 'flag', hidden: true },
    has_body: { kind: 'flag', hidden: true },
    masked_header: { kind: 'note' },
    masked_body: { kind: 'note' },
    last_sent_at: { kind: 'instant', aliases: ['sent'], requires: testCapability, short: true },
    last_error: { kind: 'note', show: 'detail', aliases: ['error'], requires: testCapability },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: SendState,
      requires: testCapability,
      tones: { never: 'muted', ok: 'ok', failing: 'bad' },
      words: true,
      from: ({ last_sent_at, last_error }) => (last_sent_at === null ? 'never' : last_error === '' ? 'ok' : 'failing'),
    },
    groups: {
      kind: 'refs',
      to: 'notification-group',
      aliases: ['group'],
      from: (row, view) => view.referring('notification-group', 'notifications', row.id),
    },
  },
  columns: ['name', 'request_method', 'host', 'request_type', 'groups', 'last_sent_at', 'state', 'last_error'],
  search: ['host', 'groups', 'last_error'],
  facet: 'state',
  form: {
    what: ['name'],
    request: [
      'request_method',
      { field: 'request_type', when: { request_method: { not: RequestMethod.GET } } },
      'url',
      'request_header',
      { field: 'request_body', when: { request_method: { not: RequestMethod.GET } } },
    ],
    how: ['format_metric_units', 'verify_tls', 'skip_check'],
  },
  scopes: { read: 'nezha:notification:read', write: 'nezha:notification:write', remove: 'nezha:notification:delete' },
  preview: previewNotifier,
  serverChecks: {
    test: {
      when: 'asked',
      capability: testCapability,
      call: (values, id, server = null) => ({
        method: 'POST',
        path: 'notification/try',
        body: { ...values, ...(id !== null && { id }), ...(server !== null && { server_id: server }) },
      }),
      report: testReport,
    },
  },
  actions: { test },
})
