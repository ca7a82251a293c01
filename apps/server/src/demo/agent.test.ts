import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { State } from '@qd/protocol/agent'
import { expect, test } from 'vitest'
import { startAgent } from './agent.ts'

test('an agent that is refused keeps no connection', async () => {
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream) => {
    stream.on('error', () => undefined)
    stream.respond({ ':status': 200, 'grpc-status': '16' }, { endStream: true })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await expect(
    startAgent({
      ...{ host: '127.0.0.1', port, secret: 'wrong', uuid: 'u', machine: {}, address: '192.0.2.1' },
      ...{ intervalMs: 1000, offsetMs: 0 },
      sample: () => State.fromPartial({}),
      answer: () => null,
    }),
  ).rejects.toThrow('not answered')
  await expect.poll(() => sessions.size).toBe(0)
  server.close()
})
