import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createGatewayBefore } from '../support/gateway-world.ts'
import { says } from '../support/peers/fake-upstream.ts'

const json = 'application/json; charset=utf-8'

describe('no open proxy', () => {
  /** Sends a request as it is written; returns the status line and everything behind it. */
  const raw = (port: number, text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.setEncoding('utf8').on('data', (more: string) => (answer += more))
      socket.on('end', () => resolve(answer)).on('error', reject)
      socket.write(text)
    })

  test.each([
    'http://127.0.0.1:1/api/v1/server',
    '//evil.example/api/v1/server',
    '/api/v1/../../secret',
    '/api/v1/%2e%2e/secret',
    '/api/v1/..%2fsecret',
    '/api/v1/a%2Fb',
    '/api/v1/a%5cb',
    '/api/v1/a\\b',
    '/api/v1//server',
    '/api/v1/%00',
    '/api/v1/%252e%252e/x',
    '/api/v1/./server',
    '/api/v2/server',
    '/api',
    '/apix/v1/server',
    '/API/v1/server',
    '/mcp/../metrics',
    '/mcp/other',
    '/mcp/download/a/b',
    '/metrics',
    '/dashboard/../api/v1/server',
    '/swagger/index.html',
  ])('%s reaches nothing', async (target) => {
    const { gateway, upstream } = await createGatewayBefore()
    const text = await raw(gateway.port, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(upstream.seen).toEqual([])
  })

  test('neither does CONNECT, nor a websocket elsewhere', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    const upgrade = 'Host: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
    await raw(gateway.port, `CONNECT 127.0.0.1:${upstream.port} HTTP/1.1\r\nHost: a\r\n\r\n`)
    for (const path of ['/api/v1/server', '/', 'http://a/api/v1/ws/server', '/api/v1/ws/../server'])
      expect(await raw(gateway.port, `GET ${path} HTTP/1.1\r\n${upgrade}${key}`)).toMatch(/^HTTP\/1\.1 404 /)
    expect(upstream.seen).toEqual([])
  })

  test('a redirect is passed on and not followed; one to the dashboard itself stays here', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    const to = async (Location: string) => {
      upstream.answer = says(302, 'text/plain', '', { Location })
      return (await gateway.guest().send('GET', '/api/v1/oauth2/callback?state=a&code=b')).headers.location
    }
    expect(await to('/dashboard/login?oauth2=true')).toBe('/dashboard/login?oauth2=true')
    expect(await to(`${upstream.origin}/dashboard/profile`)).toBe('/dashboard/profile')
    expect(await to(`${upstream.origin}//evil.example/`)).toBe('/evil.example/')
    expect(await to('https://provider.example/authorize')).toBe('https://provider.example/authorize')
    expect(upstream.seen).toHaveLength(4)
  })
})

describe('what goes on and what stays', () => {
  test('headers of a request', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    await gateway.guest().send('POST', '/api/v1/login', {
      body: { username: 'a', password: 'b' },
      headers: {
        Cookie: 'other=1; nz-jwt=j; nz-csrf=c; _ga=2',
        'X-CSRF-Token': 'c',
        'X-Forwarded-For': '198.51.100.7',
        'X-Real-IP': '198.51.100.7',
        'CF-Connecting-IP': '198.51.100.7',
        Forwarded: 'for=198.51.100.7',
        Origin: gateway.origin,
        Referer: `${gateway.origin}/dashboard/login`,
        Connection: 'keep-alive, x-csrf-token',
      },
    })
    const { headers } = upstream.seen[0]!
    const { connection: _connection, ...rest } = headers
    expect(rest).toEqual({
      host: `127.0.0.1:${upstream.port}`,
      origin: upstream.origin,
      cookie: 'nz-jwt=j; nz-csrf=c',
      'x-csrf-token': 'c',
      'content-type': 'application/json',
      'content-length': '31',
    })
  })

  test('the client’s address goes where the operator says, and nobody chooses it', async () => {
    const options = { realIpHeader: 'X-Real-IP', config: { trustProxy: ['127.0.0.1'] } }
    const { gateway, upstream } = await createGatewayBefore(options)
    const send = (headers: Record<string, string>, from?: string) =>
      gateway.guest().send('GET', '/api/v1/service', { headers, ...(from && { from }) })
    await send({ 'X-Real-IP': '198.51.100.7' }, '127.0.0.66')
    await send({ 'X-Forwarded-For': '203.0.113.9' })
    expect(upstream.seen.map(({ headers }) => headers['x-real-ip'])).toEqual(['127.0.0.66', '203.0.113.9'])
  })

  test('a Host of the operator’s choice, for sign-in providers that lead back to it', async () => {
    const { gateway, upstream } = await createGatewayBefore({ host: 'console.example.org' })
    await gateway.guest().send('GET', '/api/v1/oauth2/github?type=1', { headers: { Host: 'evil.example' } })
    expect(upstream.seen[0]!.headers).toMatchObject({ host: 'console.example.org', 'x-forwarded-proto': 'http' })
  })

  test('cookies come as ours, others do not come', async () => {
    const lines = [
      'nz-jwt=j; Path=/nezha; Domain=monitor.example.org; Max-Age=3600; SameSite=Lax; Secure',
      'nz-csrf=c.d; Path=/; SameSite=Strict',
      'nz-o2s=s; Path=/; Max-Age=300; HttpOnly',
      'other=1; Path=/',
    ]
    const options = { config: { trustProxy: ['127.0.0.1'] } }
    const { gateway, upstream } = await createGatewayBefore(options)
    upstream.answer = says(200, json, '{"success":true}', {
      'Set-Cookie': lines,
      'Access-Control-Allow-Origin': '*',
      'Strict-Transport-Security': 'max-age=1',
      'Content-Security-Policy': "default-src 'unsafe-inline'",
      Server: 'x',
    })
    const plain = await gateway.guest().send('GET', '/api/v1/server')
    expect(plain.cookies).toEqual([
      'nz-jwt=j; Path=/; Max-Age=3600; SameSite=Lax',
      'nz-csrf=c.d; Path=/; SameSite=Strict',
      'nz-o2s=s; Path=/; Max-Age=300; HttpOnly',
    ])
    expect(plain.headers).not.toHaveProperty('access-control-allow-origin')
    expect(plain.headers).not.toHaveProperty('strict-transport-security')
    expect(plain.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    const secure = await gateway.guest().send('GET', '/api/v1/server', { headers: { 'X-Forwarded-Proto': 'https' } })
    expect(secure.cookies.every((line) => line.endsWith('; Secure'))).toBe(true)
  })
})
