import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createPort, type Port } from './port.ts'
import { createUnauthenticated } from './unauthenticated.ts'

const unauthenticated = createUnauthenticated({
  trusts: () => true,
  isOwn: () => false,
  descriptors: 0,
  log: { warn: () => undefined },
})
const ports: Port[] = []
afterEach(async () => {
  for (const port of ports.splice(0)) await port.close()
})

async function open() {
  const taken: string[] = []
  const wss = new WebSocketServer({ noServer: true })
  const port = await createPort({
    unauthenticated,
    host: '127.0.0.1',
    port: 0,
    http: (request, response) => {
      taken.push(`http ${request.url}`)
      response.end('hello')
    },
    upgrade: (request, socket, head) => {
      taken.push('upgrade')
      wss.handleUpgrade(request, socket, head, (ws) => ws.send('welcome'))
    },
    grpc: (socket) => {
      taken.push('grpc')
      socket.once('data', (bytes) => socket.end(bytes)).resume()
    },
  })
  ports.push(port)
  return { port, taken, number: port.address.port }
}

const dial = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })

const all = async (socket: Socket) => {
  let text = ''
  for await (const bytes of socket) text += bytes
  return text
}

test('HTTP/1.1 and its keep-alive work', async () => {
  const { number, taken } = await open()
  const socket = await dial(number)
  socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect((await all(socket)).match(/hello/g)).toHaveLength(2)
  expect(taken).toEqual(['http /a', 'http /b'])
})

test('a request whose method begins like the HTTP/2 preface is HTTP/1.1', async () => {
  const { number, taken } = await open()
  const socket = await dial(number)
  socket.write('PROPFIND / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await all(socket)).toContain('hello')
  expect(taken).toEqual(['http /'])
})

test('a websocket upgrade arrives with its socket', async () => {
  const { number, taken } = await open()
  const ws = new WebSocket(`ws://127.0.0.1:${number}/x`)
  expect(String(await new Promise((resolve) => ws.once('message', resolve)))).toBe('welcome')
  expect(taken).toEqual(['upgrade'])
  ws.terminate()
})

test('the HTTP/2 preface is recognised, one byte at a time too, with nothing lost', async () => {
  const { number, taken } = await open()
  const socket = await dial(number)
  const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'
  for (const byte of preface.slice(0, 14)) {
    socket.write(byte)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await all(socket)).toBe('PRI * HTTP/2.0')
  expect(taken).toEqual(['grpc'])
})

test('a client that speaks TLS to a port without it is cut off', async () => {
  const { number, taken } = await open()
  const session = connectHttp2(`https://127.0.0.1:${number}`)
  await new Promise((resolve) => session.once('error', resolve))
  expect(taken).toEqual([])
})

test('a port that is taken is refused with the system error', async () => {
  const { number } = await open()
  const again = createPort({
    unauthenticated,
    host: '127.0.0.1',
    port: number,
    http: () => undefined,
    upgrade: () => undefined,
    grpc: () => undefined,
  })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a port that refuses lets open connections finish', async () => {
  const { port, number } = await open()
  const socket = await dial(number)
  socket.write('GET /a HTTP/1.1\r\nHo')
  port.refuse()
  await expect(dial(number)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  socket.write('st: x\r\nConnection: close\r\n\r\n')
  expect(await all(socket)).toContain('hello')
})

test('issue 42: a port that closes answers whoever has connected, refuses others, and cuts what is left in the end', async () => {
  const { port, number } = await open()
  const begun = await dial(number)
  begun.write('GET /a HTTP/1.1\r\nHo')
  const closing = port.close(60_000)
  const isRefused = async () =>
    dial(number).then(
      (socket) => socket.destroy() && false,
      () => true,
    )
  await expect.poll(isRefused).toBe(true)
  begun.write('st: x\r\nConnection: close\r\n\r\n')
  expect(await all(begun)).toContain('hello')
  await closing
  const other = await open()
  const silent = await dial(other.number)
  await other.port.close(1)
  expect(await all(silent)).toBe('')
})
