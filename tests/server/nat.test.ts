import { once } from 'node:events'
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { commit } from '../../apps/server/src/store/records/commit.ts'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

let world: World
let root: Browser
let target: Server
let targetPort: number
let agent: ReturnType<typeof startTestAgent>
let serverId: number
/** What the target got, and what it does instead of answering. */
let seen: IncomingMessage[] = []
let answer: (request: IncomingMessage, response: ServerResponse) => void

const profile = (fields: object = {}) => ({
  name: 'lab',
  enabled: true,
  server_id: serverId,
  host: `127.0.0.1:${targetPort}`,
  domain: 'lab.example.test',
  ...fields,
})
const create = (fields: object, browser = root) => browser.api('POST', 'nat', profile(fields)) as Promise<number>
const errorOf = async (method: string, path: string, body: unknown, browser = root) =>
  (await browser.send(method, `/api/v1/${path}`, { body })).body.error
interface Got {
  status: number
  headers: IncomingMessage['headers']
  body: string
}
function get(path = '/', { host = 'lab.example.test', body = '', method = 'GET', headers = {} } = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = ask({ port: world.port, path, method, headers: { host, ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

beforeAll(async () => {
  target = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  targetPort = (target.address() as AddressInfo).port
  answer = (request, response) => response.setHeader('X-Target', 'yes').end(`hello ${request.url}`)
  const sockets = new WebSocketServer({ server: target })
  sockets.on('connection', (ws) => ws.on('message', (data: Buffer) => ws.send(`echo ${data.toString()}`)))
  world = await createWorld()
  root = await world.login()
  agent = startTestAgent({ port: world.port }, { config: { client_secret: siteSecret } })
  const rows = async () => ((await root.api('GET', 'server')) ?? []) as { id: number }[]
  const all = await vi.waitUntil(async () => {
    const listed = await rows()
    return listed[0] && world.server.container.agents.connected(listed[0].id) ? listed : null
  }, 30_000)
  serverId = all[0]!.id
  await create({})
})
afterAll(async () => {
  await agent.stop()
  await world.close()
  target.closeAllConnections()
  target.close()
})

describe('a request for the host of a profile', () => {
  test('reaches the target through the agent, whole, and without what is ours', async () => {
    seen = []
    const headers = {
      authorization: 'Bearer x',
      cookie: 'nz-jwt=secret; a=b',
      'x-lower': '1',
      'x-forwarded-for': '198.51.100.1',
    }
    expect(await get('/x?q=1', { headers })).toMatchObject({
      status: 200,
      body: 'hello /x?q=1',
      headers: { 'x-target': 'yes' },
    })
    expect(seen[0]!.headers).toEqual({
      host: 'lab.example.test',
      cookie: 'a=b',
      'x-lower': '1',
      'x-forwarded-for': '198.51.100.1',
      connection: 'close',
    })
    expect((await get('/api/v1/profile')).body).toBe('hello /api/v1/profile')
  })

  test('matches exactly: another port, another spelling and other names are the console', async () => {
    for (const host of ['lab.example.test:1', 'LAB.example.test', 'other.example.test'])
      expect((await get('/api/v1/profile', { host })).body).toContain('ApiErrorUnauthorized')
  })

  test('issue 36.42 with another port than the profile names, the page says so', async () => {
    const page = await get('/', { host: 'lab.example.test:9100', headers: { accept: 'text/html' } })
    expect([page.status, page.body]).toEqual([421, expect.stringContaining('with the port 9100')])
    expect((await get('/', { host: 'other.example.test:9100' })).status).not.toBe(421)
  })

  test('bodies stream both ways; a slow reader holds the target back', async () => {
    const total = 48 * 1024 * 1024
    let sent = 0
    let isHeld = false
    answer = (request, response) => {
      request.resume()
      const more = () => {
        isHeld = false
        while (sent < total) {
          sent += 65_536
          if (response.write(Buffer.alloc(65_536, 'x'))) continue
          isHeld = true
          return void response.once('drain', more)
        }
        response.end()
      }
      request.on('end', more)
    }
    const socket = connect(world.port, '127.0.0.1')
    socket.write('POST /big HTTP/1.1\r\nHost: lab.example.test\r\nContent-Length: 5\r\n\r\nabcde')
    await once(socket, 'readable')
    // Nothing is read any more: what the sockets and the streams on the way hold is all that the target can send.
    let before = 0
    let looks = 0
    const heldFor = () => {
      looks = isHeld && sent === before ? looks + 1 : 0
      before = sent
      return looks
    }
    await expect.poll(heldFor, { interval: 50 }).toBe(8)
    expect(sent).toBeLessThan(total)
    let got = 0
    socket.on('data', (part: Buffer) => {
      got += part.length
    })
    await expect.poll(() => got).toBeGreaterThan(total)
    socket.destroy()
    answer = (request, response) => void request.pipe(response)
    const body = 'y'.repeat(3_000_000)
    expect((await get('/echo', { method: 'POST', body, headers: { 'transfer-encoding': 'chunked' } })).body).toBe(body)
    answer = (request, response) => response.end(`hello ${request.url}`)
  })

  test('an upgrade goes on as a websocket', async () => {
    const ws = new WebSocket(`ws://127.0.0.1:${world.port}/ws`, { headers: { host: 'lab.example.test' } })
    await once(ws, 'open')
    ws.send('one')
    expect(String((await once(ws, 'message'))[0])).toBe('echo one')
    ws.send('two')
    expect(String((await once(ws, 'message'))[0])).toBe('echo two')
    ws.close()
    await once(ws, 'close')
    await expect.poll(() => world.server.container.streams.count()).toBe(0)
  })

  test('a target that goes in mid-request cuts the visitor, and leaves no stream behind', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 1000 }).write('part')
      setImmediate(() => response.socket!.destroy())
    }
    await expect(get('/cut')).rejects.toThrow()
    await expect.poll(() => world.server.container.streams.count()).toBe(0)
    answer = (request, response) => response.end(`hello ${request.url}`)
  })
})

describe('instead of the target', () => {
  test('a profile that is off, a target that is not there, an agent that is away', async () => {
    const id = await create({ domain: 'off.example.test', enabled: false })
    expect(await get('/', { host: 'off.example.test' })).toMatchObject({
      status: 403,
      body: expect.stringContaining('nat host off.example.test is disabled'),
    })
    await create({ domain: 'dead.example.test', host: '127.0.0.1:1' })
    expect(await get('/', { host: 'dead.example.test' })).toMatchObject({
      status: 502,
      body: 'the target is not responding',
    })
    const page = await get('/', { host: 'dead.example.test', headers: { accept: 'text/html' } })
    expect([page.headers['content-type'], page.body]).toEqual([
      'text/html; charset=utf-8',
      expect.stringContaining('<h1>502</h1>'),
    ])
    const away = await world.agent({ uuid: '99999999-9999-4999-8999-999999999999' })
    const [other] = ((await root.api('GET', 'server')) as { id: number }[]).filter((row) => row.id !== serverId)
    await away.close()
    await root.api('PATCH', `nat/${id}`, profile({ domain: 'off.example.test', server_id: other!.id }))
    await expect.poll(async () => (await get('/', { host: 'off.example.test' })).status).toBe(503)
    expect((await get('/', { host: 'off.example.test' })).body).toBe('server not found or not connected')
  })

  test('the 41st stream to a server is refused', async () => {
    answer = (_request, response) => void response.writeHead(200).write('open')
    const open = Array.from({ length: 40 }, () =>
      ask({ port: world.port, headers: { host: 'lab.example.test' } }).end(),
    )
    await expect.poll(() => world.server.container.streams.count()).toBe(40)
    expect(await get()).toMatchObject({
      status: 429,
      body: 'stream limit: too many concurrent streams for this server',
    })
    for (const one of open) one.on('error', () => {}).destroy()
    await expect.poll(() => world.server.container.streams.count()).toBe(0)
    answer = (request, response) => response.end(`hello ${request.url}`)
  })

  test('an agent with NAT switched off never attaches: 504', async () => {
    const clock = world.server.container
    const silent = await world.agent({ uuid: '88888888-8888-4888-8888-888888888888' })
    const row = ((await root.api('GET', 'server')) as { id: number; uuid: string }[]).find(
      ({ uuid }) => uuid === silent.uuid,
    )!
    await create({ domain: 'silent.example.test', server_id: row.id })
    const got = get('/', { host: 'silent.example.test' })
    await expect.poll(() => clock.streams.count()).toBe(1)
    for (const stream of clock.streams.all()) stream.end('no-agent')
    expect(await got).toMatchObject({ status: 504, body: 'the agent did not respond in time' })
    await silent.close()
  })
})

describe('profiles', () => {
  test('check now says whether the target is there', async () => {
    const good = await create({ domain: 'good.example.test' })
    const bad = await create({ domain: 'bad.example.test', host: '127.0.0.1:1' })
    await root.api('POST', `nat/${good}/check`)
    await root.api('POST', `nat/${bad}/check`)
    const rows = (await root.api('GET', 'nat')) as { id: number; checked_at?: string; check_error?: string }[]
    expect(rows.find(({ id }) => id === good)).toMatchObject({ checked_at: expect.any(String) })
    expect(rows.find(({ id }) => id === good)!.check_error ?? '').toBe('')
    expect(rows.find(({ id }) => id === bad)!.check_error).toMatch(/refused/)
  })

  test.each([
    ['the name by which the console is open now', () => ({ domain: `127.0.0.1:${world.port}` }), 'permission denied'],
    ['localhost', () => ({ domain: 'LocalHost.' }), 'permission denied'],
    ['a name that is taken', () => ({ domain: 'LAB.example.test' }), 'database error'],
    ['no server', () => ({ server_id: 0, domain: 'x.test' }), 'have invalid server id'],
    ['a target without a port', () => ({ host: 'somewhere', domain: 'x.test' }), 'host must be a host and port'],
  ])('refused: %s', async (_name, fields, error) => {
    expect(await errorOf('POST', 'nat', profile(fields()))).toBe(error)
  })

  test('S-45 a name that becomes the console’s own is no longer relayed', async () => {
    await create({ domain: 'later.example.test' })
    expect((await get('/', { host: 'later.example.test' })).body).toBe('hello /')
    const { config } = (await root.api('GET', 'setting')) as { config: object }
    const said = async () =>
      ((await root.api('GET', 'nat')) as { domain: string; check_error?: string }[]).find(
        ({ domain }) => domain === 'later.example.test',
      )!.check_error ?? ''
    await expect.poll(said).toBe('')
    await root.api('PATCH', 'setting', { ...config, install_host: 'Later.Example.test:8008' })
    expect(await said()).not.toBe('')
    expect((await get('/api/v1/profile', { host: 'later.example.test' })).body).toContain('ApiErrorUnauthorized')
    await root.api('PATCH', 'setting', config)
    expect(await said()).toBe('')
  })

  test('S-27 a member’s profile stops when the server is no longer theirs', async () => {
    const { browser: alice, id, secret } = await world.member('alice')
    const { db, servers, settings } = world.server.container
    await settings.put({ ...settings.get(), nat_domains: 'example.test' })
    const own = await world.agent({ uuid: '77777777-7777-4777-8777-777777777777', secret })
    const row = ((await alice.api('GET', 'server')) as { id: number }[])[0]!
    expect(await errorOf('POST', 'nat', profile({ domain: 'a.test' }), alice)).toBe('have invalid server id')
    await create({ domain: 'alice.example.test', server_id: row.id }, alice)
    await commit(db, [servers.giving(() => [row.id], id + 1000)])
    expect((await get('/', { host: 'alice.example.test' })).status).toBe(503)
    await own.close()
  })

  test('existing agents: the text EOF behind an answer that ends with the connection is left out', async () => {
    const old = await world.agent({ uuid: '66666666-6666-4666-8666-666666666666' })
    const row = ((await root.api('GET', 'server')) as { id: number; uuid: string }[]).find(
      ({ uuid }) => uuid === old.uuid,
    )!
    await create({ domain: 'old.example.test', server_id: row.id })
    const got = get('/close', { host: 'old.example.test' })
    const task = await vi.waitUntil(async () => {
      const next = await old.nextTask()
      return next.data.includes('"Host"') ? next : null
    }, 30_000)
    const call = old.attach(task)
    const say = async (text: string) => {
      const { IOStreamData } = await import('@qd/protocol/agent')
      call.send(IOStreamData.encode({ data: Buffer.from(text) }).finish())
    }
    await say('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nclose-delimited-body')
    await say('EOF')
    call.halfClose()
    expect((await got).body).toBe('close-delimited-body')
    await old.close()
  })
})
