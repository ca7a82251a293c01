import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { isLocal } from './metrics.ts'

test.each<[isLocal: boolean, address: string, headers: IncomingHttpHeaders]>([
  [true, '127.0.0.1', { host: '127.0.0.1:8008' }],
  [true, '127.8.9.1', { host: 'localhost' }],
  [true, '::1', { host: '[::1]:8008' }],
  [true, '::ffff:127.0.0.1', { host: 'app.localhost:80' }],
  [true, '127.0.0.1', {}],
  [false, '192.0.2.1', { host: 'localhost' }],
  [false, '::ffff:10.0.0.1', { host: 'localhost' }],
  [false, '2001:db8::1', { host: 'localhost' }],
  [false, '', { host: 'localhost' }],
  [false, '127.0.0.1', { host: 'localhost', forwarded: 'for=1.2.3.4' }],
  [false, '127.0.0.1', { host: 'localhost', 'x-forwarded-host': 'a' }],
  [false, '127.0.0.1', { host: 'localhost', 'x-real-ip': '' }],
  [false, '127.0.0.1', { host: 'localhost', via: '1.1 a' }],
  [false, '127.0.0.1', { host: 'localhost.example.org:8008' }],
])('local: %s, of %s with %j', (wanted, remoteAddress, headers) => {
  expect(isLocal({ socket: { remoteAddress } as Socket, headers })).toBe(wanted)
})
