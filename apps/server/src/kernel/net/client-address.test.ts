import type { IncomingMessage } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { parseConfig } from '../../config.ts'
import { createClientAddresses } from './client-address.ts'

const from = (remoteAddress: string, forwarded?: string, proto?: string) =>
  ({
    socket: { remoteAddress },
    headers: {
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      ...(proto !== undefined && { 'x-forwarded-proto': proto }),
    },
  }) as unknown as IncomingMessage

describe('issue 10.8: who a call is from', () => {
  test.each([
    ['nobody is trusted', [], '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['the peer is not trusted', ['10.0.0.0/8'], '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['a trusted peer says nothing', ['loopback'], '127.0.0.1', undefined, '127.0.0.1'],
    ['a trusted peer names the client', ['loopback'], '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the client forged addresses before it', ['loopback'], '::1', '1.2.3.4, 127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['two trusted proxies in a row', ['loopback', '10.0.0.0/8'], '127.0.0.1', '198.51.100.1, 10.1.2.3', '198.51.100.1'],
    ['all of the chain is trusted', ['loopback', '10.0.0.0/8'], '127.0.0.1', '10.1.2.3', '10.1.2.3'],
    ['a mapped peer', ['127.0.0.1'], '::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['a single IPv6 proxy', ['2001:db8::5'], '2001:db8::5', '2001:db8::9', '2001:db8::9'],
    ['a port behind the address', ['loopback'], '127.0.0.1', '198.51.100.1:5678', '198.51.100.1'],
    ['a port behind an IPv6 address', ['loopback'], '127.0.0.1', '[2001:db8::9]:5678', '2001:db8::9'],
    ['no address', ['loopback'], '127.0.0.1', 'unknown', '127.0.0.1'],
    ['rubbish before a proxy', ['loopback', '10.0.0.0/8'], '127.0.0.1', '<script>, 10.1.2.3', '10.1.2.3'],
    ['an empty header', ['loopback'], '127.0.0.1', '', '127.0.0.1'],
    ['a connection that is gone', ['loopback'], '', '198.51.100.1', ''],
  ])('%s', (_name, trusted, peer, forwarded, client) => {
    const clients = createClientAddresses(trusted)
    expect(clients.of(from(peer, forwarded))).toBe(client)
    expect(clients.ofCall(peer, () => forwarded)).toBe(client)
  })

  test('a peer that is not trusted is told of', () => {
    const told = vi.fn()
    const clients = createClientAddresses(['loopback'], { onUntrusted: told })
    clients.of(from('192.0.2.1', '198.51.100.1'))
    clients.of(from('192.0.2.2'))
    clients.of(from('127.0.0.1', '198.51.100.1'))
    expect(told.mock.calls).toEqual([['192.0.2.1', 'X-Forwarded-For']])
  })

  test.each([
    ['127.0.0.1', 'https', true],
    ['127.0.0.1', 'HTTPS, http', true],
    ['127.0.0.1', 'http', false],
    ['192.0.2.1', 'https', false],
  ])('from %s, %s is secure: %s', (peer, proto, isSecure) => {
    expect(createClientAddresses(['loopback']).isSecure(from(peer, undefined, proto))).toBe(isSecure)
  })
})

describe('issue 10.8: --trust-proxy', () => {
  const listOf = (args: readonly string[], environment = {}) => {
    const config = parseConfig(args, environment)
    return config === 'help' ? null : config.trustProxy
  }

  test('is a list, from the flag or the environment', () => {
    expect(listOf([])).toEqual([])
    expect(listOf(['--trust-proxy', 'loopback, 10.0.0.0/8,2001:db8::5'])).toEqual([
      'loopback',
      '10.0.0.0/8',
      '2001:db8::5',
    ])
    expect(listOf([], { QD_TRUST_PROXY: '192.0.2.1' })).toEqual(['192.0.2.1'])
    expect(listOf(['--trust-proxy', 'loopback'], { QD_TRUST_PROXY: '192.0.2.1' })).toEqual(['loopback'])
  })

  test.each([
    ['proxy.example.com', /, not proxy.example.com \(/],
    ['10.0.0.0/40', /, not 10.0.0.0\/40 \(/],
    ['loopback,0.0.0.0/0', /0.0.0.0\/0 would trust everyone/],
    ['::/0', /::\/0 would trust everyone/],
  ])('%s is refused', (list, message) => {
    expect(() => listOf(['--trust-proxy', list])).toThrow(message)
  })
})
