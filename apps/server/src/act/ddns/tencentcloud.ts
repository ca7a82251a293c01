import { createHmac } from 'node:crypto'
import * as z from 'zod'
import type { Clock } from '../../kernel/ports.ts'
import { sha256 } from '../../store/records/accounts.ts'
import type { DdnsRow } from '../../store/records/rows.ts'
import { type CallApi, type DdnsProviderPort, jsonFrom, refusedBy } from './provider.ts'
import type { FindZone } from './zone.ts'

const type = 'application/json; charset=utf-8'
const failure = z.object({ Error: z.object({ Code: z.string(), Message: z.string().catch('') }) })
const answer = z.object({ Response: z.record(z.string(), z.unknown()) })
const records = z
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

const noRecords = 'ResourceNotFound.NoDataOfRecord'

/** DNSPod of Tencent Cloud, API 2021-03-23: changes the name's first record or creates one on the default line; keeps line and TTL (contract engines 6.1). */
export function createTencentCloud({
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
    const signed = { 'content-type': type, host, 'x-tc-action': action }
    const got = await call({
      method: 'POST',
      url: `${origin}/`,
      headers: {
        'Content-Type': type,
        'X-TC-Action': action,
        'X-TC-Version': '2021-03-23',
        'X-TC-Timestamp': String(at),
        Authorization: authorization({ id, key }, { headers: signed, body, service: 'dnspod', at }),
      },
      body,
    })
    const read = answer.safeParse(jsonFrom('tencentcloud', got))
    if (!read.success) throw refusedBy('tencentcloud', `returned ${got.status}, but not a response of its API`)
    const refused = failure.safeParse(read.data.Response)
    if (!refused.success) return read.data.Response
    const { Code, Message } = refused.data.Error
    if (Code === noRecords) return {}
    throw refusedBy('tencentcloud', Message === '' ? Code : `${Message} (${Code})`)
  }

  return {
    async publish(profile, { domain, record, address }) {
      const zone = await findZone(domain)
      const sub = domain === zone ? '@' : domain.slice(0, -zone.length - 1)
      const listed = await ask(profile, 'DescribeRecordList', { Domain: zone, Subdomain: sub, RecordType: record })
      const known = records.parse(listed.RecordList ?? []).find(({ Name, Type }) => Name === sub && Type === record)
      const common = { Domain: zone, SubDomain: sub, RecordType: record, Value: address }
      if (!known) await ask(profile, 'CreateRecord', { ...common, RecordLine: '默认' })
      else if (known.Value !== address) {
        const { RecordId, Line, TTL } = known
        await ask(profile, 'ModifyRecord', { ...common, RecordId, RecordLine: Line, ...(TTL && { TTL }) })
      }
    },
  }
}

const algorithm = 'TC3-HMAC-SHA256'

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
  return [algorithm, call.at, scopeOf(call), sha256(request)].join('\n')
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
  return `${algorithm} Credential=${id}/${scopeOf(call)}, SignedHeaders=${signed}, Signature=${signature}`
}
