import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeCertificate } from '../../../../../tests/support/certificates.ts'
import { runQd } from '../../../../../tests/support/tui/run.ts'
import { admin, createWorld, type World } from '../../../../../tests/support/world.ts'
import { proxyFor } from './proxy.ts'
import { createOpenSocket } from './socket.ts'

/** A proxy of a company: knows a name that nothing else here resolves, and its own users. */
async function startForwardProxy() {
  const seen: string[] = []
  const isKnown = (incoming: IncomingMessage) =>
    incoming.headers['proxy-authorization'] === `Basic ${Buffer.from('kim:p@ss').toString('base64')}`
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    if (!isKnown(incoming)) return void outgoing.writeHead(407).end()
    const { port, pathname, search } = new URL(incoming.url!)
    const { method, headers } = incoming
    const call = request({ host: '127.0.0.1', port, method, path: pathname + search, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(call)
  })
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    seen.push(`CONNECT ${incoming.url}`)
    if (!isKnown(incoming)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const there = connect(Number(incoming.url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(there).pipe(socket)
    })
    there.on('error', () => socket.destroy())
    socket.on('error', () => there.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => sockets.add(socket))
  const close = () => {
    // Tunnels aren't connections of HTTP any more.
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  return { port, url: `http://kim:p%40ss@127.0.0.1:${port}`, seen, close }
}

const name = 'status.example.test'
let proxy: Awaited<ReturnType<typeof startForwardProxy>>
let world: World
let secured: World

beforeAll(async () => {
  proxy = await startForwardProxy()
  world = await createWorld()
  secured = await createWorld({ config: { tls: makeCertificate({ days: 2, name: 'qd' }) } })
})
afterAll(async () => {
  await proxy.close()
  await world.close()
  await secured.close()
})
afterEach(() => {
  proxy.seen.length = 0
  vi.unstubAllEnvs()
})

async function qd(url: string, env: Record<string, string>) {
  const account = { QD_URL: url, QD_USER: admin.username, QD_PASSWORD: admin.password }
  return runQd({ args: ['whoami', '--jq', '.username'], env: { ...account, ...env } })
}

describe('issue 36.19 the proxy of the environment', () => {
  test('takes plain requests', async () => {
    expect(await qd(`http://${name}:${world.port}`, { HTTP_PROXY: proxy.url })).toMatchObject({
      code: 0,
      stdout: 'admin\n',
    })
    expect(proxy.seen).toContain(`POST http://${name}:${world.port}/api/v1/login`)
  })

  test('passes on encrypted ones, which it can’t read', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const env = { https_proxy: proxy.url }
    expect(await qd(`https://${name}:${secured.port}`, env)).toMatchObject({ code: 0, stdout: 'admin\n' })
    expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT ${name}:${secured.port}`]))
  })

  test('doesn’t hide a wrong certificate', async () => {
    const ended = await qd(`https://${name}:${secured.port}`, { HTTPS_PROXY: proxy.url })
    expect(ended.code).toBe(9)
    expect(ended.stderr).toContain('The certificate is signed by an unknown authority')
  })

  test.each([
    ['ws', () => world, 'HTTP_PROXY'],
    ['wss', () => secured, 'HTTPS_PROXY'],
  ] as const)('carries the %s connections of terminals and files', async (scheme, of, variable) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const url = `${scheme}://${name}:${of().port}/api/v1/ws/server`
    await new Promise<void>((open, reject) => {
      const socket = createOpenSocket({ [variable]: proxy.url })(
        { url, protocols: [], headers: {} },
        {
          open() {
            open()
            socket.close()
          },
          message: () => undefined,
          close: () => reject(new Error('closed')),
        },
      )
    })
    expect(proxy.seen).toEqual([`CONNECT ${name}:${of().port}`])
  })

  test.each([
    ['https', 'HTTPS_PROXY', 'a user that it doesn’t know', () => `http://127.0.0.1:${proxy.port}`],
    ['https', 'HTTPS_PROXY', 'nothing listening there', () => 'http://127.0.0.1:9'],
    ['http', 'HTTP_PROXY', 'nothing listening there', () => 'http://127.0.0.1:9'],
  ])('is named if it fails: %s, %s, %s', async (scheme, variable, _why, url) => {
    const ended = await qd(`${scheme}://${name}:${secured.port}`, { [variable]: url(), QD_TOKEN: '' })
    expect(ended.code).toBe(9)
    expect(ended.stderr).toContain(`The proxy ${new URL(url()).host} can’t be reached, or refused the connection`)
  })

  test.each<[string, Record<string, string>, string | null]>([
    ['https://a.example.net', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128/'],
    ['https://a.example.net', { HTTP_PROXY: 'http://proxy' }, null],
    ['http://a.example.net', { HTTP_PROXY: 'http://proxy' }, 'http://proxy/'],
    ['http://127.0.0.1:8008', { HTTP_PROXY: 'http://proxy' }, null],
    ['http://localhost:8008', { HTTP_PROXY: 'http://proxy' }, null],
    ...[
      '*',
      'a.example.net',
      'example.net',
      '.example.net',
      '*.example.net',
      'b, A.example.net:443',
      'x a.example.net',
    ].map(
      (list) =>
        ['https://a.example.net', { HTTPS_PROXY: 'http://proxy', NO_PROXY: list }, null] as [
          string,
          Record<string, string>,
          null,
        ],
    ),
    ...['', 'ample.net', 'b.example.net', 'a.example.net:8443'].map(
      (list) =>
        ['https://a.example.net', { HTTPS_PROXY: 'http://proxy', no_proxy: list }, 'http://proxy/'] as [
          string,
          Record<string, string>,
          string,
        ],
    ),
  ])('of %s with %j is %s', (url, env, expected) => {
    expect(proxyFor(new URL(url), env)?.href ?? null).toBe(expected)
  })
})
