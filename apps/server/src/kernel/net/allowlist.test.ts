import { describe, expect, test } from 'vitest'
import { isPublic } from './address-ranges.ts'
import { createAllowlist } from './allowlist.ts'

describe('S-42 addresses on the internet', () => {
  test.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:1.1.1.1', '[2606:4700::1]'])(
    '%s is one',
    (address) => expect(isPublic(address)).toBe(true),
  )
  test.each([
    ['0.0.0.0'],
    ['10.1.2.3'],
    ['100.64.0.1'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.0.0.8'],
    ['192.0.2.1'],
    ['192.168.1.1'],
    ['198.18.0.1'],
    ['198.51.100.1'],
    ['203.0.113.1'],
    ['224.0.0.1'],
    ['240.0.0.1'],
    ['255.255.255.255'],
    ['::'],
    ['::1'],
    ['::127.0.0.1'],
    ['::ffff:10.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['64:ff9b:1::1'],
    ['100::1'],
    ['2001::1'],
    ['2001:db8::1'],
    ['2002:7f00:1::'],
    ['fc00::1'],
    ['fd12::1'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['fec0::1'],
    ['ff02::1'],
    ['not an address'],
  ])('%s is none', (address) => expect(isPublic(address)).toBe(false))
})

describe('the operator’s list', () => {
  test.each([
    ['10.0.0.0/8', { host: 'push.lan', port: 80, address: '10.2.3.4' }, true],
    ['10.0.0.0/8', { host: 'push.lan', port: 80, address: '::ffff:10.2.3.4' }, true],
    ['10.0.0.0/8', { host: 'push.lan', port: 80, address: '192.168.1.1' }, false],
    ['192.168.1.5', { host: 'x', port: 80, address: '192.168.1.5' }, true],
    ['192.168.1.5:8080', { host: 'x', port: 8080, address: '192.168.1.5' }, true],
    ['192.168.1.5:8080', { host: 'x', port: 80, address: '192.168.1.5' }, false],
    ['[fd00::5]:443', { host: 'x', port: 443, address: 'fd00::5' }, true],
    ['fd00::/8', { host: 'x', port: 443, address: 'fd12::5' }, true],
    ['push.lan', { host: 'Push.lan', port: 443, address: '10.0.0.9' }, true],
    ['push.lan:8443', { host: 'push.lan', port: 443, address: '10.0.0.9' }, false],
    ['push.lan', { host: 'other.lan', port: 443, address: '10.0.0.9' }, false],
    ['0.0.0.0/0', { host: 'x', port: 80, address: '10.0.0.1' }, true],
    ['0.0.0.0/0', { host: 'x', port: 80, address: '127.0.0.1' }, false],
    ['::/0', { host: 'x', port: 80, address: '::1' }, false],
    ['0.0.0.0/0', { host: 'x', port: 80, address: '169.254.169.254' }, false],
    ['push.lan', { host: 'push.lan', port: 80, address: '127.0.0.1' }, false],
    ['push.lan', { host: 'push.lan', port: 80, address: '169.254.169.254' }, false],
    ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000, address: '127.0.0.1' }, true],
    ['127.0.0.0/8', { host: 'push.lan', port: 80, address: '127.0.0.5' }, true],
    ['localhost:9000', { host: 'localhost', port: 9000, address: '::1' }, true],
    ['localhost', { host: 'push.lan', port: 80, address: '127.0.0.1' }, false],
    ['::1', { host: 'localhost', port: 80, address: '::1' }, true],
    ['10.0.0.0/99', { host: 'x', port: 80, address: '10.0.0.1' }, false],
    ['http://push.lan/', { host: 'push.lan', port: 80, address: '10.0.0.1' }, false],
    ['', { host: '', port: 80, address: '10.0.0.1' }, false],
    ['nothing', { host: 'example.com', port: 80, address: '93.184.216.34' }, true],
  ])('%j and %j: %s', (entry, target, allowed) => {
    expect(createAllowlist([entry]).allows(target)).toBe(allowed)
  })
})
