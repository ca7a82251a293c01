import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeCertificate } from '../support/certificates.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { closeAfter, createGatewayBefore, createGatewayWorld, type GatewayWorld } from '../support/gateway-world.ts'
import { type FakeUpstream, guestSetting, says, startFakeUpstream } from '../support/peers/fake-upstream.ts'

const json = 'application/json; charset=utf-8'

describe('trouble, in a sentence', () => {
  const blocked = '<!DOCTYPE html><title>Blocked</title><p>you were blocked by nezha WAF</p><p>nezha WAF</p>'

  test.each<[string, ReturnType<typeof says>, number, string, RegExp]>([
    [
      'the block page, which is about the gateway itself',
      says(403, 'text/html; charset=utf-8', blocked),
      403,
      'firewall',
      /is blocking this gateway, and everyone .* --upstream-real-ip-header$/,
    ],
    [
      'a challenge for browsers',
      says(403, 'text/html', '<html>Just a moment', { 'cf-mitigated': 'challenge' }),
      403,
      'firewall',
      /allows browsers but not gateways/,
    ],
    [
      'a proxy’s page while the dashboard starts',
      says(502, 'text/html', '<html><h1>502 Bad Gateway</h1>'),
      503,
      'unreachable',
      /a proxy in front of it returned 502/,
    ],
    [
      'an address that leads elsewhere',
      says(301, 'text/html', '', { Location: 'https://other.example.org/api/v1/server' }),
      404,
      'noRoute',
      /did you mean --upstream https:\/\/other\.example\.org\?$/,
    ],
  ])('%s', async (_name, answer, status, code, words) => {
    const { gateway, upstream } = await createGatewayBefore()
    upstream.answer = answer
    const got = await gateway.guest().send('GET', '/api/v1/server')
    expect(got).toMatchObject({ status, body: { code, params: { why: expect.any(String) } } })
    expect(got.body.error).toMatch(words)
  })

  test('a dashboard that was seen there and cuts a connection is not taken for one of another scheme', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    upstream.answer = ({ socket }) => void socket.resetAndDestroy()
    const { body } = await gateway.guest().send('GET', '/api/v1/server')
    expect(body).toMatchObject({ code: 'unreachable', params: { why: 'ended' } })
    expect(body.error).toMatch(/: it closed the connection$/)
  })

  test('who is blocked is told, where the dashboard knows the address', async () => {
    const { gateway, upstream } = await createGatewayBefore({ realIpHeader: 'X-Real-IP' })
    upstream.answer = says(403, 'text/html; charset=utf-8', blocked)
    expect((await gateway.guest().send('GET', '/api/v1/server')).body.error).toMatch(/is blocking you$/)
  })

  test('a page of the dashboard’s own front end is passed on, and runs nothing', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    upstream.answer = says(200, 'text/html', '<!doctype html><script>alert(1)</script>')
    const answer = await gateway.guest().send('GET', '/api/v1/server')
    expect([answer.status, answer.headers['content-security-policy']]).toEqual([
      200,
      "default-src 'none'; frame-ancestors 'none'",
    ])
  })

  test('a page of some other program, once that is known', async () => {
    const upstream = closeAfter(await startFakeUpstream({ setting: null }))
    upstream.answer = says(404, 'text/html', '<html>nginx')
    const gateway = closeAfter(await createGatewayWorld(upstream.origin))
    expect(await gateway.guest().send('POST', '/api/v1/login', {})).toMatchObject({
      status: 404,
      body: { code: 'noRoute', params: { why: 'noDashboard', url: upstream.origin } },
    })
  })

  test('a dashboard that thinks for ever', async () => {
    const clock = createFakeClock()
    const { gateway, upstream } = await createGatewayBefore({ clock })
    upstream.answer = () => {}
    const answer = gateway.guest().send('GET', '/api/v1/server')
    await vi.waitFor(() => expect(upstream.seen).toHaveLength(1), 30_000)
    await clock.advance(60_000)
    expect(await answer).toMatchObject({ status: 504, body: { code: 'timeout', params: { seconds: 60 } } })
  })

  test('a websocket while the dashboard is down', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    await upstream.close()
    const status = await new Promise((resolve) => {
      const ws = new WebSocket(`ws://127.0.0.1:${gateway.port}/api/v1/ws/server`)
      ws.on('unexpected-response', (_request, answer) => resolve(answer.statusCode))
      ws.on('error', () => {})
    })
    expect(status).toBe(503)
  })
})

describe('the look at the start, and after it', () => {
  const health = async (gateway: GatewayWorld) => (await gateway.guest().send('GET', '/healthz')).body.error

  test.each<[string, string | null, FakeUpstream['answer'], RegExp]>([
    ['some other program', null, says(200, 'text/html', '<html>Welcome to nginx!'), /is not a 1\.x or 2\.x dashboard/],
    ['JSON of some other program', null, says(200, json, '{"hello":1}'), /is not a 1\.x or 2\.x dashboard/],
    ['nothing there', null, says(404, json, '{"error":"404 Not Found"}'), /returned “404 Not Found”/],
    [
      'an address that leads elsewhere',
      null,
      says(301, 'text/html', '', { Location: 'https://monitor.example.org/api/v1/setting' }),
      /did you mean --upstream https:\/\/monitor\.example\.org\?/,
    ],
    [
      'a dashboard that wants the address in a header',
      null,
      says(200, json, '{"error":"real ip header not found"}'),
      /--upstream-real-ip-header/,
    ],
    ['a block page', null, says(403, 'text/html', '<html>nezha WAF'), /: its firewall is blocking this gateway/],
    ['a proxy’s page', null, says(502, 'text/html', '<html>Bad Gateway'), /: a proxy in front of it returned 502/],
  ])('%s', async (_name, setting, answer, words) => {
    const upstream = closeAfter(await startFakeUpstream({ setting }))
    upstream.answer = answer
    const gateway = closeAfter(await createGatewayWorld(upstream.origin))
    const said = await health(gateway)
    expect(said).toMatch(words)
    expect(said?.match(/the dashboard at/g)).toHaveLength(1)
    expect(gateway.log.join('\n')).toMatch(words)
    expect((await gateway.guest().send('GET', '/dashboard/login')).status).toBe(200)
  })

  test('TLS: an unknown authority, one that was named, no TLS, TLS where none was expected', async () => {
    const certificate = makeCertificate({ days: 2, name: 'upstream' })
    const { gateway: unknown, upstream } = await createGatewayBefore({}, { certificate })
    expect(await health(unknown)).toMatch(/signed by an unknown authority; .* --upstream-ca FILE$/)
    expect((await unknown.guest().send('GET', '/api/v1/server')).body.code).toBe('unreachable')
    expect(upstream.seen).toEqual([])
    const ca = join(tmpdir(), `qd-gateway-${process.pid}.pem`)
    writeFileSync(ca, certificate.cert)
    const known = await createGatewayWorld(upstream.origin, { ca })
    const otherName = await createGatewayWorld(upstream.origin.replace('127.0.0.1', 'localhost.localdomain'), { ca })
    const plain = await createGatewayWorld(upstream.origin.replace('https', 'http'))
    const { gateway: noTls } = await createGatewayBefore({}, {})
    const tls = await createGatewayWorld(noTls.origin.replace('http', 'https'))
    for (const one of [known, otherName, plain, tls]) closeAfter(one)
    expect(await health(known)).toBeUndefined()
    expect((await known.guest().send('GET', '/api/v1/server')).body.success).toBe(true)
    expect(await health(otherName)).toMatch(/certificate is not valid for|does not resolve|cannot be resolved/)
    expect(await health(tls)).toMatch(/use TLS on this port; did you mean http:\/\/\?/)
    expect(await health(plain)).toMatch(/closed the connection|is not a 1\.x|does not speak HTTP/)
  })

  test('TLS: a certificate that has expired', async () => {
    const { gateway } = await createGatewayBefore(
      {},
      { certificate: makeCertificate({ days: 'expired', name: 'old' }) },
    )
    expect(await health(gateway)).toMatch(/: its certificate has expired$/)
    const { body } = await gateway.guest().send('GET', '/api/v1/server')
    expect(body).toMatchObject({ code: 'unreachable', params: { why: 'expired' } })
  })

  test('it goes on trying, and says once what changed', async () => {
    const clock = createFakeClock()
    const first = await startFakeUpstream()
    const { port } = first
    await first.close()
    const gateway = await createGatewayWorld(`http://127.0.0.1:${port}`, { clock })
    closeAfter(gateway)
    expect(await health(gateway)).toMatch(/nothing is listening there/)
    const again = await startFakeUpstream({ port, setting: guestSetting })
    closeAfter(again)
    await vi.waitFor(async () => {
      await clock.advance(30_000)
      expect(await health(gateway)).toBeUndefined()
    }, 30_000)
    const said = gateway.log.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(said.filter((line) => line.includes('nothing is listening'))).toHaveLength(1)
    expect(said.at(-1)).toBe(`in front of http://127.0.0.1:${port}: a dashboard of 2.x`)
    expect((await gateway.guest().send('GET', '/')).text).toContain('<html lang="de-DE">')
  })
})
