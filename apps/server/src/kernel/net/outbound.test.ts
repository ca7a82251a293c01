import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Resolved } from '../ports.ts'
import { texts } from '../texts.ts'
import { createAllowlist } from './allowlist.ts'
import { createOutbound, type OutboundRequest } from './outbound.ts'

let receiver: Server
let port: number
let asked: string[]
let got: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[]
let answers: { status: number; headers?: Record<string, string>; body?: string; silent?: true }
let addresses: Record<string, string[]>

beforeEach(async () => {
  asked = []
  got = []
  answers = { status: 200 }
  addresses = { 'push.example': ['127.0.0.1'] }
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ method: request.method!, url: request.url!, headers: request.headers, body })
      if (answers.silent) return
      response.writeHead(answers.status, answers.headers).end(answers.body)
    })
  })
  port = await listening(receiver)
})
afterEach(() => closed(receiver))

const listening = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

async function resolve(host: string): Promise<Resolved[]> {
  asked.push(host)
  const found = addresses[host]
  if (!found) throw new Error(`getaddrinfo ENOTFOUND ${host}`)
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

function send(url: string, more: Partial<OutboundRequest> = {}, allowed = [`127.0.0.1:${port}`]) {
  const outbound = createOutbound({ resolve, allowlist: () => createAllowlist(allowed) })
  return outbound({ method: 'GET', url, headers: {}, body: null, verifyTls: false, timeoutMs: 5000, ...more })
}
const text = (said: string) =>
  expect.objectContaining({
    code: said === texts.outboundRefused ? 'addressRefused' : 'notDelivered',
    params: expect.objectContaining({ text: said }),
  })

describe('the body of an answer', () => {
  test('is read as far as was asked, and not at all by default', async () => {
    answers = { status: 200, body: 'x'.repeat(100) }
    const url = `http://127.0.0.1:${port}/`
    expect((await send(url)).body).toBeUndefined()
    expect((await send(url, { readsBytes: 1000 })).body).toHaveLength(100)
    expect((await send(url, { readsBytes: 10 })).body).toHaveLength(10)
  })

  test('that does not come is too late', async () => {
    const slow = createServer((_request, response) => void response.writeHead(200).write('a'))
    const url = `http://127.0.0.1:${await listening(slow)}/`
    const allowed = [new URL(url).host]
    await expect(send(url, { readsBytes: 10, timeoutMs: 100 }, allowed)).rejects.toEqual(text(texts.outboundLate))
    await closed(slow)
  })
})

describe('a request', () => {
  test('reaches the address that was looked up, once, under its own name', async () => {
    addresses['push.example'] = ['127.0.0.1']
    const answer = await send(`http://push.example:${port}/a%20b?c=d`, {
      method: 'POST',
      headers: { 'X-Text': 'grün 😀', Host: 'other', 'Content-Length': '1', 'Transfer-Encoding': 'chunked' },
      body: 'grün',
    })
    expect(answer).toEqual({ status: 200, reason: 'OK' })
    expect(asked).toEqual(['push.example'])
    expect(got).toEqual([expect.objectContaining({ method: 'POST', url: '/a%20b?c=d', body: 'grün' })])
    const { headers } = got[0]!
    expect(headers).toMatchObject({ host: `push.example:${port}`, 'content-length': '5' })
    expect(headers['transfer-encoding']).toBeUndefined()
    expect(Buffer.from(headers['x-text'] as string, 'latin1').toString()).toBe('grün 😀')
  })

  test('a redirect is an answer like any other', async () => {
    answers = { status: 302, headers: { Location: `http://127.0.0.1:${port}/inside` } }
    expect(await send(`http://push.example:${port}/`)).toEqual({ status: 302, reason: 'Found' })
    expect(got).toHaveLength(1)
  })

  test('an answer without end is not read', async () => {
    answers = { status: 500, body: 'secret'.repeat(5_000_000) }
    expect(await send(`http://push.example:${port}/`)).toEqual({ status: 500, reason: 'Internal Server Error' })
  })

  test('a proxy in the environment is not asked', async () => {
    process.env.http_proxy = 'http://127.0.0.1:1'
    expect(await send(`http://push.example:${port}/`)).toMatchObject({ status: 200 })
    delete process.env.http_proxy
  })
})

describe('S-42 what is refused', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://０.0.0.0/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:1',
    'http://',
    'no address',
    '',
  ])('%s', async (url) => {
    addresses.localhost = ['127.0.0.1']
    await expect(send(url, {}, [])).rejects.toEqual(text('HTTP URL target is not allowed'))
  })

  test('a name of which one address is inside', async () => {
    addresses['push.example'] = ['93.184.216.34', '10.0.0.1']
    await expect(send('http://push.example/', {}, [])).rejects.toEqual(text(texts.outboundRefused))
    addresses['push.example'] = []
    await expect(send('http://push.example/', {}, [])).rejects.toEqual(text(texts.outboundRefused))
  })

  test('what is refused says where it can be allowed (issue 12, friction)', async () => {
    await expect(send('http://10.0.0.1/', {}, [])).rejects.toMatchObject({ params: { hint: 'outboundAllowlist' } })
  })

  test('another port of an allowed host', async () => {
    await expect(send(`http://push.example:${port}/`, {}, ['127.0.0.1:1'])).rejects.toEqual(text(texts.outboundRefused))
    expect(got).toEqual([])
  })
})

describe('what fails', () => {
  test('a resolver’s error passes through', async () => {
    await expect(send('http://nowhere.example/')).rejects.toEqual(text('getaddrinfo ENOTFOUND nowhere.example'))
  })

  test('nobody listens; the path, which may be a secret, is not told', async () => {
    await closed(receiver)
    const said = `connect ECONNREFUSED 127.0.0.1:${port}`
    await expect(send(`http://push.example:${port}/botSECRET/send`)).rejects.toEqual(text(said))
    receiver = createServer()
    await listening(receiver)
  })

  test('a receiver or a resolver that takes too long', async () => {
    answers = { status: 200, silent: true }
    await expect(send(`http://push.example:${port}/`, { timeoutMs: 50 })).rejects.toEqual(text(texts.outboundLate))
    const outbound = createOutbound({ resolve: () => new Promise(() => {}), allowlist: () => createAllowlist([]) })
    const request = { method: 'GET', headers: {}, body: null, verifyTls: false, timeoutMs: 50 }
    await expect(outbound({ ...request, url: 'http://a.example/' })).rejects.toEqual(text(texts.outboundLate))
  })

  test('a certificate of nobody is taken only where certificates are not checked', async () => {
    const file = (name: string) => readFileSync(new URL(`../../../../../tests/data/tls/${name}`, import.meta.url))
    const secure = createTlsServer(
      { key: file('localhost.key.pem'), cert: file('localhost.cert.pem') },
      (_, response) => {
        response.end()
      },
    )
    const securePort = await listening(secure)
    const url = `https://push.example:${securePort}/`
    const allowed = ['127.0.0.1']
    expect(await send(url, {}, allowed)).toMatchObject({ status: 200 })
    await expect(send(url, { verifyTls: true }, allowed)).rejects.toMatchObject({ code: 'notDelivered' })
    await closed(secure)
  })
})
