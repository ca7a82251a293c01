import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A record that a provider keeps. */
export interface KeptRecord {
  id: number
  type: string
  name: string
  value: string
}

/** The APIs of three DNS providers, as their public documentation describes them, on one port of this machine. */
export interface FakeDnsApis {
  readonly port: number
  readonly origins: { cloudflare: string; tencentcloud: string; he: string }
  /** Names are whole. */
  readonly records: KeptRecord[]
  /** Calls as they came: `GET /zones`, `DescribeRecordList`, `he home.example.net`. */
  readonly calls: string[]
  /** Answers in place of the API from now on; null: the API. */
  instead: { status: number; body: string } | null
  close(): Promise<void>
}

/** The secrets that these providers take. */
export const dnsSecrets = { cloudflare: 'cf-token-1', id: 'AKID1', key: 'tencent-key-1', he: 'he-key-1' } as const

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Starts them with the zone `example.net` of each. */
export async function startFakeDnsApis(): Promise<FakeDnsApis> {
  const records: KeptRecord[] = []
  const calls: string[] = []
  let last = 0
  const add = (record: Omit<KeptRecord, 'id'>) => {
    last += 1
    records.push({ ...record, id: last })
    return last
  }

  function cloudflare({ method, url, headers }: IncomingMessage, body: string): [number, unknown] {
    const { pathname, searchParams } = new URL(url!, 'http://fake')
    calls.push(`${method} ${pathname.replace('/client/v4', '')}`)
    const refuse = (status: number, code: number, message: string): [number, unknown] => [
      status,
      { success: false, errors: [{ code, message }], messages: [], result: null },
    ]
    const give = (result: unknown): [number, unknown] => [200, { success: true, errors: [], messages: [], result }]
    if (headers.authorization !== `Bearer ${dnsSecrets.cloudflare}`) return refuse(403, 9109, 'Invalid access token')
    if (pathname.endsWith('/zones'))
      return give(searchParams.get('name') === 'example.net' ? [{ id: 'zone1', name: 'example.net' }] : [])
    const sent = body === '' ? {} : (JSON.parse(body) as Record<string, string>)
    if (method === 'POST')
      return give({ id: String(add({ type: sent.type!, name: sent.name!, value: sent.content! })) })
    if (method === 'PATCH') {
      const one = records.find(({ id }) => String(id) === pathname.split('/').at(-1))!
      one.value = sent.content!
      return give({ id: String(one.id) })
    }
    const found = records.filter(
      ({ type, name }) => type === searchParams.get('type') && name === searchParams.get('name'),
    )
    return give(found.map(({ id, name, value }) => ({ id: String(id), name, content: value })))
  }

  /** As Tencent Cloud would sign it, from its documentation. */
  function isSigned({ headers }: IncomingMessage, body: string): boolean {
    const at = String(headers['x-tc-timestamp'])
    const date = new Date(Number(at) * 1000).toISOString().slice(0, 10)
    const action = String(headers['x-tc-action']).toLowerCase()
    const lines = `content-type:${headers['content-type']}\nhost:${headers.host}\nx-tc-action:${action}\n`
    const request = `POST\n/\n\n${lines}\ncontent-type;host;x-tc-action\n${sha256(body)}`
    const text = `TC3-HMAC-SHA256\n${at}\n${date}/dnspod/tc3_request\n${sha256(request)}`
    const key = hmac(hmac(hmac(`TC3${dnsSecrets.key}`, date), 'dnspod'), 'tc3_request')
    return String(headers.authorization).endsWith(`Signature=${hmac(key, text).toString('hex')}`)
  }

  function tencent(request: IncomingMessage, body: string): [number, unknown] {
    const action = String(request.headers['x-tc-action'])
    calls.push(action)
    const refuse = (Code: string, Message: string): [number, unknown] => [
      200,
      { Response: { Error: { Code, Message }, RequestId: 'r' } },
    ]
    if (!isSigned(request, body)) return refuse('AuthFailure.SignatureFailure', 'The signature does not match.')
    const { Domain, SubDomain, Subdomain, RecordType, Value, RecordId } = JSON.parse(body) as Record<string, string>
    const sub = SubDomain ?? Subdomain
    const name = sub === '@' ? Domain! : `${sub}.${Domain}`
    const give = (more: object): [number, unknown] => [200, { Response: { ...more, RequestId: 'r' } }]
    if (action === 'CreateRecord') return give({ RecordId: add({ type: RecordType!, name, value: Value! }) })
    if (action === 'ModifyRecord') {
      records.find(({ id }) => id === Number(RecordId))!.value = Value!
      return give({ RecordId })
    }
    const found = records.filter((one) => one.type === RecordType && one.name === name)
    if (found.length === 0) return refuse('ResourceNotFound.NoDataOfRecord', 'no records')
    return give({
      RecordList: found.map(({ id, type, value }) => ({
        RecordId: id,
        Name: sub,
        Type: type,
        Line: '默认',
        Value: value,
        TTL: 600,
      })),
    })
  }

  function he(body: string): [number, unknown] {
    const { hostname, password, myip } = Object.fromEntries(new URLSearchParams(body))
    calls.push(`he ${hostname}`)
    if (password !== dnsSecrets.he) return [200, 'badauth']
    const one = records.find(({ name }) => name === hostname)
    if (!one) return [200, 'nohost']
    const word = one.value === myip ? 'nochg' : 'good'
    one.value = myip!
    return [200, `${word} ${myip}`]
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      if (apis.instead) return void response.writeHead(apis.instead.status).end(apis.instead.body)
      const answer = () => {
        if (request.url!.startsWith('/client/v4')) return cloudflare(request, body)
        return request.url === '/nic/update' ? he(body) : tencent(request, body)
      }
      const [status, said] = answer()
      response.writeHead(status).end(typeof said === 'string' ? said : JSON.stringify(said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const apis: FakeDnsApis = {
    port,
    origins: { cloudflare: `${origin}/client/v4`, tencentcloud: origin, he: origin },
    records,
    calls,
    instead: null,
    async close() {
      const gone = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await gone
    },
  }
  return apis
}
