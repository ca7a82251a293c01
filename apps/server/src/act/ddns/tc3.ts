import { createHash, createHmac } from 'node:crypto'

const algorithm = 'TC3-HMAC-SHA256'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** A call to sign. `headers` are those that are signed, by their names in small letters. */
export interface SignedCall {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** As in the host: `dnspod`. */
  readonly service: string
  /** Unix seconds. */
  readonly at: number
}

const namesOf = (headers: SignedCall['headers']) => Object.keys(headers).sort()
const scopeOf = ({ at, service }: SignedCall) =>
  `${new Date(at * 1000).toISOString().slice(0, 10)}/${service}/tc3_request`

/** The text that is signed. Source: Tencent Cloud, "Signature v3". */
export function textToSign(call: SignedCall): string {
  const names = namesOf(call.headers)
  const lines = names.map((name) => `${name}:${call.headers[name]!.trim().toLowerCase()}\n`).join('')
  const request = ['POST', '/', '', lines, names.join(';'), sha256(call.body)].join('\n')
  return [algorithm, call.at, scopeOf(call), sha256(request)].join('\n')
}

/** The key of one day and service. */
export function signingKey(secretKey: string, call: SignedCall): Buffer {
  return scopeOf(call)
    .split('/')
    .reduce<string | Buffer>((key, part) => hmac(key, part), `TC3${secretKey}`) as Buffer
}

/** The signature of a text, in hex. */
export const signatureOf = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

/** The `Authorization` header of a call. */
export function authorization({ id, key }: { id: string; key: string }, call: SignedCall): string {
  const signature = signatureOf(signingKey(key, call), textToSign(call))
  const signed = namesOf(call.headers).join(';')
  return `${algorithm} Credential=${id}/${scopeOf(call)}, SignedHeaders=${signed}, Signature=${signature}`
}
