import { createServer, get, Agent as HttpAgent, type IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { connectStraight, passStraight } from './straight.ts'

const length = 40_000

test('what a client has not got yet is not written over by the next answer of the same connection', async () => {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'Content-Length': length }).end(url!.slice(1).repeat(length))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  class Agent extends HttpAgent {
    override createConnection = (options: object) => connectStraight(options as NetConnectOpts)
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { port } = server.address() as AddressInfo
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) =>
      get({ host: '127.0.0.1', port, path, agent }, resolve).on('error', reject),
    )
  const answer = await ask('/a')
  const { socket } = answer
  const got: Buffer[] = []
  let size = 0
  const slow = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      size += bytes.length
      const isLast = size >= length
      got.push(isLast ? bytes : Buffer.from(bytes))
      // The last piece does not go.
      if (!isLast) done()
    },
  })
  const response = new ServerResponse(answer)
  response.assignSocket(slow as Socket)
  const isWhole = await new Promise((resolve) => {
    expect(passStraight(answer, response, resolve)).toBe(true)
  })
  expect(isWhole).toBe(true)

  const next = await ask('/b')
  expect(next.socket).toBe(socket)
  expect(await text(next)).toBe('b'.repeat(length))

  expect(Buffer.concat(got).toString()).toMatch(new RegExp(`\r\n\r\na{${length}}$`))
  agent.destroy()
  server.close()
})
