import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createBrowser } from '../support/browser.ts'
import { makeCertificate } from '../support/certificates.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { readSource } from '../support/sources.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

const certificate = makeCertificate({ days: 2, name: 'proxy' })
const guesser = '127.0.0.66'
const owner = '127.0.0.10'

/** The configuration that the page shows for a proxy. */
function documented(name: string): string {
  const [, block] =
    new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(readSource('docs/operate/reverse-proxy.md')) ?? []
  if (block === undefined) throw new Error(`docs/operate/reverse-proxy.md shows no ${name}`)
  return block
}

/** A port that nobody has; the proxy takes it a moment later. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

interface Place {
  folder: string
  port: number
}

/** What is written and started: the documented text around which each program wants its own. */
const proxies: readonly [
  name: string,
  file: string,
  text: (place: Place) => string,
  command: (file: string) => string[],
][] = [
  [
    'nginx',
    'nginx.conf',
    ({ folder, port }) =>
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${[
        'client_body',
        'proxy',
        'fastcgi',
        'uwsgi',
        'scgi',
      ]
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .join(' ')}\n${documented('nginx').replace('listen 443', `listen 127.0.0.1:${port}`)}\n}`,
    (file) => ['/usr/sbin/nginx', '-e', 'stderr', '-c', file],
  ],
  [
    'caddy',
    'Caddyfile',
    ({ folder, port }) =>
      `{\n  admin off\n  auto_https disable_redirects\n}\n${documented('caddy').replace(
        'status.example.net {',
        `https://127.0.0.1:${port} {\n  tls ${folder}/status.cert.pem ${folder}/status.key.pem`,
      )}`,
    (file) => ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  ],
  [
    'haproxy',
    'haproxy.cfg',
    ({ port }) => documented('haproxy').replace('bind :443', `bind 127.0.0.1:${port}`),
    (file) => ['/usr/sbin/haproxy', '-db', '-f', file],
  ],
]

describe.each(proxies)(
  'issue 14: behind %s as docs/operate/reverse-proxy.md shows it',
  (_name, file, textOf, commandOf) => {
    let world: World
    let proxy: ChildProcess
    let origin: string
    let port: number
    let said = ''
    const folder = mkdtempSync(join(tmpdir(), 'qd-proxy-'))

    beforeAll(async () => {
      world = await createWorld({ config: { trustProxy: ['127.0.0.1'] } })
      port = await freePort()
      origin = `https://127.0.0.1:${port}`
      const { key, cert } = certificate
      for (const [name, text] of Object.entries({ cert, key, both: cert + key }))
        writeFileSync(join(folder, `status.${name}.pem`), text)
      const text = textOf({ folder, port })
        .replaceAll('/etc/ssl/', `${folder}/`)
        .replaceAll('127.0.0.1:8008', `127.0.0.1:${world.port}`)
      writeFileSync(join(folder, file), text)
      const [program = '', ...args] = commandOf(join(folder, file))
      proxy = spawn(program, args, {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      })
      proxy.on('error', (error) => (said += String(error)))
      proxy.stderr?.setEncoding('utf8').on('data', (more: string) => (said += more))
      const answers = () =>
        createBrowser(origin)
          .send('GET', '/healthz')
          .then(
            ({ status }) => status,
            () => said,
          )
      await vi.waitFor(async () => expect(await answers()).toBe(200), 30_000)
    })
    afterAll(async () => {
      proxy.kill('SIGKILL')
      await world.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('one guesser keeps nobody else out, and nobody chooses the address that is counted', async () => {
      const signIn = (password: string, from: string, headers = {}) =>
        createBrowser(origin).send('POST', '/api/v1/login', {
          body: { username: admin.username, password },
          from,
          headers,
        })
      const forged = { 'X-Forwarded-For': '198.51.100.7', 'X-Real-IP': '198.51.100.8', Forwarded: 'for=198.51.100.9' }
      expect((await signIn('a guess', guesser, forged)).status).toBe(200)
      expect((await signIn('a guess', guesser, forged)).status).toBe(403)
      const { cookies, body } = await signIn(admin.password, owner)
      expect(body.success).toBe(true)
      expect(cookies.every((line) => line.endsWith('; Secure'))).toBe(true)
      expect(world.server.container.firewall.all().map(({ row }) => row.ip)).toEqual([guesser])
    })

    test('websockets and agents come through, with their own address', async () => {
      const ws = new WebSocket(`wss://127.0.0.1:${port}/api/v1/ws/server`, {
        rejectUnauthorized: false,
        localAddress: owner,
      })
      await new Promise((resolve, reject) => ws.once('message', resolve).once('error', reject))
      expect(world.server.container.online().map(({ caller }) => caller.address)).toEqual([owner])
      ws.terminate()
      const peer = await connectPeer({ port, ca: certificate.cert, from: guesser })
      const call = peer.open('ReportSystemInfo2', credentials(siteSecret, uuidOf(1)))
      call.send('')
      call.halfClose()
      const { status, text } = await call.take((event) => event.event === 'trailers')
      expect([status, text]).toEqual([2, 'you were blocked by nezha WAF'])
      peer.destroy()
      const other = await connectPeer({ port, ca: certificate.cert, from: owner })
      const good = other.open('ReportSystemInfo2', credentials(siteSecret, uuidOf(1)))
      good.send('')
      good.halfClose()
      expect((await good.take((event) => event.event === 'trailers')).status).toBe(0)
      other.destroy()
    })
  },
)
