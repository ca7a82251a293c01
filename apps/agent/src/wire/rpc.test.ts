import { methods } from '@qd/protocol/methods'
import { hostnameHeader } from '@qd/protocol/task-types'
import { expect, onTestFinished, test } from 'vitest'
import { type AgentEvent, startRawServer } from '../../../../tests/support/peers/h2-server.ts'
import { defaultConfig } from '../config/agent-config.ts'
import { createChannel } from './rpc.ts'

test.each([
  ['enrolls with a code', { code: 'a-code' }, 'web-1.example.net', 'web-1.example.net'],
  ['was started by its server', { sendsHostname: true }, 'web-1', 'web-1'],
  ['does neither', {}, 'web-1', undefined],
  ['does neither, and is watch-only', { isWatchOnly: true }, 'web-1', undefined],
  ['enrolls, with a name that no header can carry', { code: 'a-code' }, 'b\u00fcro', undefined],
  ['enrolls, with a name of two lines', { code: 'a-code' }, 'web-1\nclient-secret: x', undefined],
  ['enrolls, with a name that is too long', { code: 'a-code' }, 'x'.repeat(129), undefined],
  ['enrolls, without a name', { code: 'a-code' }, '', undefined],
])('an agent that %s', async (_who, options, hostname, sent) => {
  const server = await startRawServer()
  const config = { ...defaultConfig, server: `127.0.0.1:${server.port}`, uuid: 'u', client_secret: 's' }
  const channel = createChannel(config, { wallNow: () => Date.now(), hostname: () => hostname }, options)
  onTestFinished(async () => {
    await channel.close()
    await server.close()
  })
  channel.open(methods.RequestTask).send({ id: 0n, type: 0n, delay: 0, data: '', successful: false })
  const { headers } = await server.take((event): event is AgentEvent & { event: 'open' } => event.event === 'open')
  expect(headers['client-secret']).toBe('s')
  expect(headers[hostnameHeader]).toBe(sent)
})
