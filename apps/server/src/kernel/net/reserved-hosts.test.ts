import { expect, test } from 'vitest'
import { isReservedHost, ownHosts } from './reserved-hosts.ts'

const own = ownHosts(
  {
    install_host: 'dash.example.com:8008',
    dashboard_host: 'München.example',
    reserved_hosts: 'cdn.example.com、 a.net:1',
  },
  'box.internal',
)

test.each([
  'dash.example.com',
  'dash.example.com:9999',
  'DASH.example.COM',
  'dash.example.com.',
  'dash.example.com.:443',
  'xn--mnchen-3ya.example',
  'MÜNCHEN.example',
  'cdn.example.com:8443',
  'a.net',
  'box.internal',
  'localhost',
  'LOCALHOST:8008',
  'any.localhost',
  'localhost.',
  '127.0.0.1',
  '127.0.0.1:8008',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '017700000001',
  '203.0.113.7',
  '[::1]:8008',
  '[::ffff:127.0.0.1]',
  '',
  'not a host',
])('S-45 %j is refused', (name) => expect(isReservedHost(name, own)).toBe(true))

test.each(['nat.example.test', 'x.dash.example.com', 'dash.example.com.evil.net', 'nat.example.test:8008'])(
  '%s is free',
  (name) => expect(isReservedHost(name, own)).toBe(false),
)
