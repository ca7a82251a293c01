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
import { AppError, type Problem } from '../errors.ts'
import {
  common,
  commonKinds,
  type DdnsResult,
  type DdnsWebhook,
  ddnsResults,
  domain,
  failureLine,
  fillDdnsRequest,
  isHeaders,
  isWebAddress,
  longestBody,
  maxDomains,
  owner,
  ownerKind,
  publishedLine,
  RecordType,
  RequestMethod,
  RequestType,
} from '../schemas/index.ts'

const maxShown = 4000

/** The webhook’s request for a server with an address; empty if it can’t be built, which its fields explain. */
function previewDdns(values: Values, { view }: SayContext): readonly string[] {
  if (values.provider !== 'webhook' || !values.webhook_url) return []
  const [first = 'home.example.net'] = values.domains as readonly string[]
  const addresses = view.all('server').map(({ geoip }) => (geoip as { ip?: { ipv4_addr?: string } } | undefined)?.ip)
  const template = Object.fromEntries(Object.entries(values).map(([field, value]) => [field, value ?? '']))
  try {
    const { method, url, headers, body } = fillDdnsRequest(template as DdnsWebhook, {
      ip: addresses.find((ip) => ip?.ipv4_addr)?.ipv4_addr ?? '203.0.113.7',
      domain: first,
      record: RecordType.ipv4,
      access_id: String(values.access_id ?? ''),
      access_secret: '***',
    })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return [`${method} ${url}`, ...lines, ...(body ? [body.slice(0, maxShown)] : [])]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

const updateCapability = 'ddns-update'

/** In the order of `GET /ddns/providers`. */
export const DdnsProvider = namedOptions('dummy', 'webhook', 'cloudflare', 'tencentcloud', 'he')
export type DdnsProvider = (typeof DdnsProvider)[keyof typeof DdnsProvider]

const secretText = z.string().max(4096).nullable()

const input = lazy(() =>
  z.strictObject({
    name: z.string().min(1).max(128),
    provider: z.enum(DdnsProvider),
    domains: z.array(domain).max(maxDomains),
    enable_ipv4: z.boolean(),
    enable_ipv6: z.boolean(),
    max_retries: z.int().min(1).max(10),
    access_id: z.string().trim().max(4096),
    access_secret: secretText,
    webhook_url: z
      .string()
      .trim()
      .max(4096)
      .refine(isWebAddress, { params: { code: 'notUrl' } }),
    webhook_method: z.enum(RequestMethod),
    webhook_request_type: z.enum(RequestType),
    webhook_headers: z
      .string()
      .max(65_536)
      .refine(isHeaders, { params: { code: 'notHeaders' } })
      .nullable(),
    webhook_request_body: z.string().max(longestBody).nullable(),
  }),
)

const added = lazy(() => ({
  ...common,
  has_access_secret: z.boolean(),
  has_headers: z.boolean(),
  has_body: z.boolean(),
  masked_headers: z.string(),
  masked_body: z.string(),
  results: ddnsResults(),
  owner,
}))

type Profile = z.output<ReturnType<typeof input>> & z.output<z.ZodObject<ReturnType<typeof added>>>

const byDomain = (results: Profile['results']) =>
  Object.values(results).sort((a, b) => (`${a.domain} ${a.record}` < `${b.domain} ${b.record}` ? -1 : 1))
const failed = (all: readonly DdnsResult[]) => all.filter(({ error }) => error !== '')
const taken = (all: readonly DdnsResult[]) => all.filter(({ error }) => error === '')

const UpdateState = namedOptions('never', 'ok', 'partly', 'failing')

function stateOf({ results }: Pick<Profile, 'results'>): keyof typeof UpdateState {
  const all = Object.values(results)
  const bad = failed(all).length
  if (all.length === 0) return 'never'
  return bad === 0 ? 'ok' : bad === all.length ? 'failing' : 'partly'
}

const withKey: readonly string[] = [DdnsProvider.cloudflare, DdnsProvider.tencentcloud, DdnsProvider.he]

/** What the provider requires; stored secrets count. */
function validate(values: z.output<ReturnType<typeof input>>, stored: Values | null): Problem[] {
  const { provider, access_id, access_secret, webhook_url } = values
  const isKept = access_secret === '' && stored?.has_access_secret === true && !stored.access_secret
  const missing = [
    ...(withKey.includes(provider) && !access_secret && !isKept ? ['access_secret'] : []),
    ...(provider === DdnsProvider.tencentcloud && access_id === '' ? ['access_id'] : []),
    ...(provider === DdnsProvider.webhook && webhook_url === '' ? ['webhook_url'] : []),
  ]
  return missing.map((field) => ({ field, code: 'required' }))
}

const answered = lazy(() => z.object({ results: ddnsResults(), servers: z.int().catch(0), waiting: z.int().catch(0) }))

function updateReport(answer: unknown): { report: Report; ended: 'well' | 'partly' | 'badly' } {
  const { results, servers, waiting } = answered().catch({ results: {}, servers: 0, waiting: 0 }).parse(answer)
  const all = byDomain(results)
  const bad = failed(all).length
  const ended = bad === 0 && all.length > 0 ? 'well' : bad === all.length ? 'badly' : 'partly'
  const report: Report = ({ translator }) => [
    ...taken(all).map((one) => ({ text: publishedLine(one), tone: 'ok' as const })),
    ...failed(all).map((one) => ({ text: failureLine(one), tone: 'bad' as const })),
    ...(servers === 0 ? [{ text: translator.t('ui.ddns.noServers'), tone: 'warn' as const }] : []),
    ...(servers > 0 && all.length === 0 && waiting === 0
      ? [{ text: translator.t('ui.ddns.noAddress'), tone: 'warn' as const }]
      : []),
    ...(waiting > 0 ? [{ text: translator.t('ui.ddns.waiting', { count: waiting }), tone: 'warn' as const }] : []),
  ]
  return { report, ended }
}

const update = defineAction<Profile>()({
  on: 'one',
  scope: 'nezha:ddns:write',
  icon: 'refresh-cw',
  key: 'r',
  aliases: ['update now', 'publish', 'refresh'],
  capability: updateCapability,
  wire: { method: 'POST', path: 'ddns/{id}/update' },
  outcome: (answer) => ({ kind: 'report', data: answer, ...updateReport(answer) }),
})

const forWebhook = { provider: { is: DdnsProvider.webhook } } as const

export const ddns = defineResource({
  name: 'ddns',
  icon: 'globe',
  tab: true,
  go: 'g d',
  aliases: ['dynamic dns', 'domain'],
  input,
  added,
  initial: {
    provider: DdnsProvider.dummy,
    enable_ipv4: true,
    max_retries: 3,
    webhook_method: RequestMethod.GET,
    webhook_request_type: RequestType.json,
  },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always' },
    provider: { kind: 'choice', options: DdnsProvider },
    domains: { kind: 'list', wide: true, help: true, aliases: ['domain'] },
    enable_ipv4: { kind: 'flag', aliases: ['ipv4'] },
    enable_ipv6: { kind: 'flag', aliases: ['ipv6'] },
    max_retries: { kind: 'number', digits: 0, help: true, aliases: ['attempts'] },
    access_id: { kind: 'text', help: true },
    access_secret: { kind: 'secret', has: 'has_access_secret', help: true },
    webhook_url: { kind: 'text', wide: true, help: true },
    webhook_method: { kind: 'choice', options: RequestMethod, aliases: ['method'] },
    webhook_request_type: { kind: 'choice', options: RequestType },
    webhook_headers: {
      kind: 'secret',
      wide: true,
      has: 'has_headers',
      masked: { field: 'masked_headers', as: 'headers' },
      lines: true,
      help: true,
      aliases: ['headers'],
    },
    webhook_request_body: {
      kind: 'secret',
      wide: true,
      has: 'has_body',
      masked: { field: 'masked_body', as: 'text' },
      lines: true,
      help: true,
      aliases: ['body'],
    },
    has_access_secret: { kind: 'flag', hidden: true },
    has_headers: { kind: 'flag', hidden: true },
    has_body: { kind: 'flag', hidden: true },
    masked_headers: { kind: 'note' },
    masked_body: { kind: 'note' },
    results: { kind: 'part', schema: ddnsResults, requires: updateCapability },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: UpdateState,
      requires: updateCapability,
      tones: { never: 'muted', ok: 'ok', partly: 'warn', failing: 'bad' },
      words: true,
      from: stateOf,
    },
    servers: {
      kind: 'refs',
      short: true,
      to: 'server',
      aliases: ['server'],
      from: (row, view) => view.referring('server', 'ddns_profiles', row.id),
    },
    last_updated_at: {
      kind: 'instant',
      short: true,
      requires: updateCapability,
      aliases: ['updated'],
      from: ({ results }) =>
        Object.values(results)
          .map(({ at }) => at)
          .sort()
          .at(-1) ?? null,
    },
    published: {
      kind: 'note',
      requires: updateCapability,
      from: ({ results }) => taken(byDomain(results)).map(publishedLine).join('\n'),
    },
    last_error: {
      kind: 'note',
      show: 'wide',
      short: true,
      aliases: ['error'],
      requires: updateCapability,
      from: ({ results }) => failed(byDomain(results)).map(failureLine).join('\n'),
    },
  },
  columns: ['name', 'provider', 'domains', 'servers', 'last_updated_at', 'state', 'last_error'],
  search: ['domains', 'servers', 'last_error'],
  facet: 'state',
  form: {
    what: ['name', 'provider'],
    records: ['domains', 'enable_ipv4', 'enable_ipv6', 'max_retries'],
    access: [
      { field: 'access_id', when: { provider: { in: [DdnsProvider.tencentcloud, DdnsProvider.webhook] } } },
      { field: 'access_secret', when: { provider: { not: DdnsProvider.dummy } } },
    ],
    request: [
      { field: 'webhook_url', when: forWebhook },
      { field: 'webhook_method', when: forWebhook },
      { field: 'webhook_request_type', when: forWebhook },
      { field: 'webhook_headers', when: forWebhook },
      { field: 'webhook_request_body', when: forWebhook },
    ],
  },
  validate,
  scopes: { read: 'nezha:ddns:read', write: 'nezha:ddns:write', remove: 'nezha:ddns:delete' },
  preview: previewDdns,
  detail: {
    tags: ['provider'],
    sections: [
      { kind: 'problem', field: 'last_error' },
      { kind: 'text', field: 'published' },
      {
        kind: 'facts',
        fields: ['domains', 'last_updated_at', 'enable_ipv4', 'enable_ipv6', 'max_retries', 'access_id'],
      },
      { kind: 'rest', without: ['servers'] },
    ],
  },
  actions: { update },
})
