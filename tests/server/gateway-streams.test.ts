import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createGatewayBefore, type GatewayWorld } from '../support/gateway-world.ts'
import { says } from '../support/peers/fake-upstream.ts'

const json = 'application/json; charset=utf-8'
const good = says(200, json, '{"success":true}')

describe('streams', () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const chunks = 2048
  const all = chunk.length * chunks
  /** What the buffers of four sockets may hold. */
  const inFlight = 40 * 1024 * 1024
  /** Ordinary calls, each of which the gateway works on while it could read more of a stream. */
  const rounds = async (gateway: GatewayWorld) => {
    const guest = gateway.guest()
    for (let round = 0; round < 30; round += 1) await guest.send('GET', '/api/v1/service')
  }

  test('a download is as slow as its reader, and whole in the end', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    let given = 0
    upstream.answer = (call, response) => {
      if (!call.url!.startsWith('/mcp/download/')) return good(call, response)
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': all })
      const more = () => {
        while (given < chunks) {
          given += 1
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    }
    const answer = await new Promise<IncomingMessage>((resolve) =>
      get({ port: gateway.port, path: '/mcp/download/token', agent: false }, resolve),
    )
    answer.pause()
    await rounds(gateway)
    expect(given * chunk.length).toBeLessThan(inFlight)
    let got = 0
    for await (const part of answer) got += (part as Buffer).length
    expect(got).toBe(all)
  })

  test('an upload is as fast as the dashboard takes it', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    let taken = 0
    let take = () => {}
    upstream.answer = (call, response) => {
      if (!call.url!.startsWith('/mcp/upload/')) return good(call, response)
      take = () => {
        call.on('data', (part: Buffer) => (taken += part.length))
        call.on('end', () => good(call, response))
      }
    }
    let given = 0
    const headers = { 'Content-Length': all }
    const upload = request({ port: gateway.port, path: '/mcp/upload/token', method: 'POST', headers, agent: false })
    const status = new Promise<number>((resolve, reject) => {
      upload.on('response', (answer) => resolve(answer.resume().statusCode!))
      upload.on('error', reject)
    })
    const more = () => {
      while (given < chunks) {
        given += 1
        if (!upload.write(chunk)) return void upload.once('drain', more)
      }
      upload.end()
    }
    more()
    await vi.waitFor(() => expect(upstream.seen).toHaveLength(1), 30_000)
    await rounds(gateway)
    expect(given * chunk.length).toBeLessThan(inFlight)
    take()
    expect(await status).toBe(200)
    expect(taken).toBe(all)
  })

  test('a websocket is as slow as its reader, in both directions', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    const sockets = new WebSocketServer({ noServer: true })
    const serverSide = new Promise<WebSocket>((resolve) => {
      upstream.onUpgrade = (call, socket, head) => sockets.handleUpgrade(call, socket, head, resolve)
    })
    const client = new WebSocket(`ws://127.0.0.1:${gateway.port}/api/v1/ws/file/x`)
    await new Promise((resolve) => client.once('open', resolve))
    const server = await serverSide
    for (const [from, to] of [
      [server, client],
      [client, server],
    ] as const) {
      to.pause()
      for (let index = 0; index < chunks; index += 1) from.send(chunk)
      await rounds(gateway)
      expect(all - from.bufferedAmount).toBeLessThan(inFlight)
      let got = 0
      const whole = new Promise<void>((resolve) =>
        to.on('message', (data: Buffer) => {
          got += data.length
          if (got === all) resolve()
        }),
      )
      to.resume()
      await whole
      to.removeAllListeners('message')
    }
    const closed = new Promise((resolve) => client.once('close', (code) => resolve(code)))
    server.close(1009)
    expect(await closed).toBe(1009)
  })

  test('who leaves ends the call there too', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    const ended = new Promise((resolve) => {
      upstream.answer = (call) => void call.on('close', resolve)
    })
    const call = request({ port: gateway.port, path: '/api/v1/server', agent: false }).on('error', () => {})
    call.end()
    await vi.waitFor(() => expect(upstream.seen).toHaveLength(1), 30_000)
    call.destroy()
    await ended
  })

  test('a body that is cut short does not look whole', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    upstream.answer = (_call, response) => {
      response.writeHead(200, { 'Content-Type': json })
      response.write('{"success":true,"data":[')
      setImmediate(() => response.destroy())
    }
    await expect(gateway.guest().send('GET', '/api/v1/server')).rejects.toThrow(/aborted|hang up|ECONNRESET/)
  })

  test('a long answer of a told length comes as it was, and neither longer nor shorter', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    const long = randomBytes(9_000_001)
    const sends = (most: number, end: (response: ServerResponse) => unknown): void => {
      upstream.answer = (call, response) => {
        if (!call.url!.startsWith('/mcp/')) return good(call, response)
        response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Length': long.length })
        response.write(long.subarray(0, most), () => end(response))
      }
    }
    const download = async () => {
      const answer = await fetch(`${gateway.origin}/mcp/download/token`)
      return Buffer.from(await answer.arrayBuffer())
    }
    sends(long.length, (response) => response.end())
    expect((await download()).equals(long)).toBe(true)
    expect((await download()).equals(long)).toBe(true)
    expect(new Set(upstream.seen.map(({ socket }) => socket)).size, 'its connection is used again').toBe(1)
    sends(long.length, (response) => response.socket!.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad'))
    expect((await download()).equals(long)).toBe(true)
    sends(5_000_000, (response) => response.destroy())
    await expect(download()).rejects.toThrow()
    upstream.answer = (call, response) =>
      void response.writeHead(call.method === 'HEAD' ? 200 : 304, { 'Content-Length': long.length }).end()
    expect((await fetch(`${gateway.origin}/mcp/download/token`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${gateway.origin}/mcp/download/token`)).status).toBe(304)
  })

  test.each(['a told', 'an untold'])(
    'answers of %s length that wait for slow readers come as they were',
    async (kind) => {
      const { gateway, upstream } = await createGatewayBefore()
      const long = [1, 2, 3, 4].map(() => randomBytes(24 * 1024 * 1024))
      upstream.answer = (call, response) => {
        const which = /^\/api\/v1\/server\?(\d)$/.exec(call.url!)
        if (!which) return good(call, response)
        const body = long[Number(which[1])]!
        const told = kind === 'a told' ? { 'Content-Length': body.length } : {}
        response.writeHead(200, { 'Content-Type': json, ...told })
        response.write(body)
        response.end()
      }
      const answers = await Promise.all(
        long.map(
          (_, index) =>
            new Promise<IncomingMessage>((resolve) =>
              get({ port: gateway.port, path: `/api/v1/server?${index}`, agent: false }, resolve),
            ),
        ),
      )
      for (const answer of answers) answer.pause()
      await rounds(gateway)
      for (const [index, answer] of answers.entries()) {
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part as Buffer)
        expect(Buffer.concat(parts).equals(long[index]!)).toBe(true)
      }
    },
  )

  test('a connection that had just ended is met once, for reading calls alone', async () => {
    const { gateway, upstream } = await createGatewayBefore()
    upstream.answer = good
    const guest = gateway.guest()
    await guest.send('GET', '/api/v1/service')
    let isFirst = true
    upstream.answer = (call, response) => {
      if (isFirst) call.socket.destroy()
      else good(call, response)
      isFirst = false
    }
    expect((await guest.send('GET', '/api/v1/service')).status).toBe(200)
    isFirst = true
    const written = await guest.send('POST', '/api/v1/cron/1/manual', { body: {} })
    expect(written).toMatchObject({ status: 503, body: { code: 'unreachable' } })
    expect(upstream.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})
