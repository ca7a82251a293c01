import { createHmac } from 'node:crypto'
import { AppError } from '@qd/core/errors'
import { DdnsProvider } from '@qd/core/resources'
import { ddnsFieldOf, fillDdnsRequest } from '@qd/core/schemas'
import * as z from 'zod'
import type { Base } from '../../base.ts'
import type { Outbound } from '../../kernel/net/outbound.ts'
import type { Clock } from '../../kernel/ports.ts'
import { problemText } from '../../kernel/texts.ts'
import { sha256 } from '../../store/records/accounts.ts'
import type { DdnsRow } from '../../store/records/rows.ts'
import type { WantedRecord } from './plan.ts'
import type { FindZone } from './zone.ts'

/** Errors: `failed` with the provider's reason. */
export interface DdnsProviderPort {
  publish(profile: DdnsRow, wanted: WantedRecord): Promise<void>
  /** Minimum time between calls of one update, in ms. */
  readonly pauseMs?: number
}

/** Calls a provider's API; `body` is cut at 256 KiB. */
type CallApi = (call: {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
}) => Promise<{ status: number; body: string }>

const refusedBy = (provider: string, why: string): AppError => new AppError('failed', { text: `${provider}: ${why}` })

/** Errors: `failed` if the response isn't JSON. */
function jsonFrom(provider: string, { status, body }: { status: number; body: string }): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw refusedBy(provider, `returned ${status}, but not a response of its API`)
  }
}

const timeoutMs = 10_000
const maxRead = 256 * 1024

export function createProviders(
  { config, clock }: Pick<Base, 'config' | 'clock'>,
  { outbound, findZone }: { outbound: Outbound; findZone: FindZone },
): Readonly<Record<DdnsProvider, DdnsProviderPort>> {
  const { cloudflare, tencentcloud, he } = config.ddnsOrigins
  const ask =
    (readsBytes: number): CallApi =>
    async (call) => {
      const { status, body = '' } = await outbound({ ...call, verifyTls: true, timeoutMs, readsBytes })
      return { status, body }
    }
  const call = ask(maxRead)
  return {
    [DdnsProvider.dummy]: { publish: async () => {} },
    // The response of an address chosen by a member stays unread (S-42).
    [DdnsProvider.webhook]: createWebhook(ask(0)),
    [DdnsProvider.cloudflare]: createCloudflare({ call, findZone, origin: cloudflare }),
    [DdnsProvider.tencentcloud]: createTencentCloud({ call, findZone, origin: tencentcloud, clock }),
    [DdnsProvider.he]: createHe({ call, origin: he }),
  }
}

const cloudflareAnswer = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number().catch(0), message: z.string() })).catch([]),
  result: z.unknown().optional(),
})
const cloudflareRecords = z.array(
  z.object({ id: z.string(), name: z.string().catch(''), content: z.string().catch('') }),
)

/** Cloudflare's API v4: creates or changes the only record of a name; refuses several. Keeps proxied, TTL and comment (contract engines 6.1). */
function createCloudflare({
  call,
  findZone,
  origin,
}: {
  call: CallApi
  findZone: FindZone
  origin: string
}): DdnsProviderPort {
  async function ask(token: string, method: string, path: string, body: object | null = null): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const got = await call({ method, url: `${origin}${path}`, headers, body: body && JSON.stringify(body) })
    const read = cloudflareAnswer.safeParse(jsonFrom('cloudflare', got))
    if (!read.success) throw refusedBy('cloudflare', `returned ${got.status}, but not a response of its API`)
    if (read.data.success) return read.data.result
    const [first] = read.data.errors
    throw refusedBy('cloudflare', first ? `${first.message} (${first.code})` : `answered ${got.status}`)
  }

  async function found(token: string, path: string): Promise<z.output<typeof cloudflareRecords>> {
    const read = cloudflareRecords.safeParse(await ask(token, 'GET', path))
    if (!read.success) throw refusedBy('cloudflare', 'returned something other than a response of its API')
    return read.data
  }

  return {
    async publish({ access_secret: token }, { domain, record, address }) {
      const name = await findZone(domain)
      const [zone] = await found(token, `/zones?name=${encodeURIComponent(name)}`)
      if (!zone) throw refusedBy('cloudflare', `the token has no access to the zone ${name}`)
      const path = `/zones/${encodeURIComponent(zone.id)}/dns_records`
      const [first, second] = await found(token, `${path}?type=${record}&name=${encodeURIComponent(domain)}`)
      if (second) throw refusedBy('cloudflare', `${domain} has several ${record} records`)
      if (!first) await ask(token, 'POST', path, { type: record, name: domain, content: address, ttl: 60 })
      else if (first.content !== address)
        await ask(token, 'PATCH', `${path}/${encodeURIComponent(first.id)}`, { content: address })
    },
  }
}

const heAnswers: Readonly<Record<string, string>> = {
  badauth: 'wrong key for this hostname',
  nohost: 'no such dynamic record; create it there first',
  notfqdn: 'no such dynamic record; create it there first',
  abuse: 'this hostname is blocked there because of too many updates',
  interval: 'too soon after the last update',
  badagent: 'it refuses this client',
  dnserr: 'it has a temporary problem',
  '911': 'it has a temporary problem',
}

const hePauseMs = 8000

/** dns.he.net: one key for all names of the profile, whose dynamic records must exist (contract engines 6.1). */
function createHe({ call, origin }: { call: CallApi; origin: string }): DdnsProviderPort {
  return {
    pauseMs: hePauseMs,
    async publish({ access_secret: password }, { domain: hostname, address: myip }) {
      const body = new URLSearchParams({ hostname, password, myip }).toString()
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const got = await call({ method: 'POST', url: `${origin}/nic/update`, headers, body })
      const [word = ''] = got.body.trim().split(/\s+/)
      if (got.status === 200 && (word === 'good' || word === 'nochg')) return
      const said = /^[\w!]{1,20}$/.test(word)
        ? `answered ${word}`
        : `returned ${got.status}, but not a response of its API`
      throw refusedBy('he', heAnswers[word] ?? said)
    },
  }
}

/** The operator's own request per record; a status other than 2xx fails (decisions.md, Q21). */
function createWebhook(call: CallApi): DdnsProviderPort {
  return {
    async publish(profile, { domain, record, address: ip }) {
      const { access_id, access_secret } = profile
      const { status } = await call(
        withField(() => fillDdnsRequest(profile, { ip, domain, record, access_id, access_secret })),
      )
      if (status < 200 || status > 299) throw refusedBy('webhook', `answered ${status}`)
    },
  }
}

function withField<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problems = error.problems.map((one) => ({ ...one, field: ddnsFieldOf(one.field) }))
    throw refusedBy('webhook', problemText(problems))
  }
}

const tencentType = 'application/json; charset=utf-8'
const tencentFailure = z.object({ Error: z.object({ Code: z.string(), Message: z.string().catch('') }) })
const tencentAnswer = z.object({ Response: z.record(z.string(), z.unknown()) })
const tencentRecords = z
  .array(
    z.object({
      RecordId: z.number(),
      Name: z.string().catch(''),
      Type: z.string().catch(''),
      Line: z.string().catch('默认'),
      Value: z.string().catch(''),
      TTL: z.number().optional().catch(undefined),
    }),
  )
  .catch([])

const noTencentRecords = 'ResourceNotFound.NoDataOfRecord'

/** DNSPod of Tencent Cloud, API 2021-03-23: changes the name's first record or creates one on the default line; keeps line and TTL (contract engines 6.1). */
function createTencentCloud({
  call,
  findZone,
  origin,
  clock,
}: {
  call: CallApi
  findZone: FindZone
  origin: string
  clock: Clock
}): DdnsProviderPort {
  const { host } = new URL(origin)

  async function ask(
    { access_id: id, access_secret: key }: DdnsRow,
    action: string,
    parameters: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const body = JSON.stringify(parameters)
    const at = Math.floor(clock.now() / 1000)
    const signed = { 'content-type': tencentType, host, 'x-tc-action': action }
    const got = await call({
      method: 'POST',
      url: `${origin}/`,
      headers: {
        'Content-Type': tencentType,
        'X-TC-Action': action,
        'X-TC-Version': '2021-03-23',
        'X-TC-Timestamp': String(at),
        Authorization: authorization({ id, key }, { headers: signed, body, service: 'dnspod', at }),
      },
      body,
    })
    const read = tencentAnswer.safeParse(jsonFrom('tencentcloud', got))
    if (!read.success) throw refusedBy('tencentcloud', `returned ${got.status}, but not a response of its API`)
    const refused = tencentFailure.safeParse(read.data.Response)
    if (!refused.success) return read.data.Response
    const { Code, Message } = refused.data.Error
    if (Code === noTencentRecords) return {}
    throw refusedBy('tencentcloud', Message === '' ? Code : `${Message} (${Code})`)
  }

  return {
    async publish(profile, { domain, record, address }) {
      const zone = await findZone(domain)
      const sub = domain === zone ? '@' : domain.slice(0, -zone.length - 1)
      const listed = await ask(profile, 'DescribeRecordList', { Domain: zone, Subdomain: sub, RecordType: record })
      const known = tencentRecords
        .parse(listed.RecordList ?? [])
        .find(({ Name, Type }) => Name === sub && Type === record)
      const common = { Domain: zone, SubDomain: sub, RecordType: record, Value: address }
      if (!known) await ask(profile, 'CreateRecord', { ...common, RecordLine: '默认' })
      else if (known.Value !== address) {
        const { RecordId, Line, TTL } = known
        await ask(profile, 'ModifyRecord', { ...common, RecordId, RecordLine: Line, ...(TTL && { TTL }) })
      }
    },
  }
}

const tencentAlgorithm = 'TC3-HMAC-SHA256'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** `headers`: signed headers, by lower-case name. */
export interface SignedCall {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly service: string
  /** Unix seconds. */
  readonly at: number
}

const namesOf = (headers: SignedCall['headers']) => Object.keys(headers).sort()
const scopeOf = ({ at, service }: SignedCall) =>
  `${new Date(at * 1000).toISOString().slice(0, 10)}/${service}/tc3_request`

/** See Tencent Cloud, "Signature v3". */
export function textToSign(call: SignedCall): string {
  const names = namesOf(call.headers)
  const lines = names.map((name) => `${name}:${call.headers[name]?.trim().toLowerCase()}\n`).join('')
  const request = ['POST', '/', '', lines, names.join(';'), sha256(call.body)].join('\n')
  return [tencentAlgorithm, call.at, scopeOf(call), sha256(request)].join('\n')
}

export function signingKey(secretKey: string, call: SignedCall): Buffer {
  return scopeOf(call)
    .split('/')
    .reduce<string | Buffer>((key, part) => hmac(key, part), `TC3${secretKey}`) as Buffer
}

export const signatureOf = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

export function authorization({ id, key }: { id: string; key: string }, call: SignedCall): string {
  const signature = signatureOf(signingKey(key, call), textToSign(call))
  const signed = namesOf(call.headers).join(';')
  return `${tencentAlgorithm} Credential=${id}/${scopeOf(call)}, SignedHeaders=${signed}, Signature=${signature}`
}
