import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { runProgram } from '../../start/program.ts'

test('a reading that ends early prints what came before it fails', async () => {
  const replies: Readonly<Record<string, unknown>> = {
    capabilities: { name: 'quarterdeck', version: '1', capabilities: ['logs'] },
    profile: { id: 1, username: 'admin', role: 0 },
    'host/logs': { session_id: 's', hosts: [{ server_id: 1, name: 'web-1' }] },
  }
  const server = createServer((request, response) => {
    const data = replies[(request.url ?? '').replace('/api/v1/', '')]
    response
      .writeHead(data ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(data ? { success: true, data } : { error: '404 Not Found' }))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    const entry = { at: 1, unit: '', name: '', pid: null, level: null, text: 'the last words' }
    socket.send(JSON.stringify({ server_id: 1, entries: [entry], left: 0 }))
    socket.close(1011)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const io = createTestIo({
    args: ['logs', '--unit', 'nginx'],
    env: { QD_URL: url, QD_TOKEN: 'nzp_x', LANG: 'C.UTF-8' },
  })
  const code = await runProgram(io)
  sockets.close()
  server.close()
  server.closeAllConnections()
  expect({ code, ...io.written() }).toMatchObject({
    stderr: expect.stringContaining('error'),
    stdout: expect.stringContaining('the last words'),
  })
  expect(code).not.toBe(0)
})
