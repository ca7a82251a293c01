import { expect, test } from 'vitest'
import { createFakeMachine } from '../../../../tests/support/agent/fake-machine.ts'
import { findAddresses, parseAddressPage } from './addresses.ts'
import type { Machine } from './machine.ts'

const find = (parts: Partial<Machine>, config: { custom_ip_api?: string[]; server?: string } = {}) =>
  findAddresses(createFakeMachine({}, parts), { server: 'host:8008', custom_ip_api: [], ...config })

test.each([
  ['1.2.3.4\n', '1.2.3.4'],
  ['fl=1\nip=2001:db8::7\nts=2\n', '2001:db8::7'],
  ['<html>', ''],
  ['ip=nobody', ''],
])('page %j means %j', (text, address) => {
  expect(parseAddressPage(text)).toBe(address)
})

test('the pages are asked in order, for both families; what is not of the family asked for does not count', async () => {
  const fetchText = async (url: string, family: 4 | 6) => {
    if (url === 'http://dead') throw new Error('refused')
    return family === 4 ? 'ip=203.0.113.7' : url === 'http://b' ? '203.0.113.7' : '2001:db8::7'
  }
  const custom_ip_api = ['http://dead', 'http://b', 'http://c']
  expect(await find({ fetchText }, { custom_ip_api })).toEqual({ ipv4: '203.0.113.7', ipv6: '2001:db8::7' })
})

test.each([
  [
    'a public address beats a private one',
    ['10.0.0.2', '203.0.113.7', 'fe80::1'],
    [],
    { ipv4: '203.0.113.7', ipv6: '' },
  ],
  [
    'private ones for a server near by',
    ['192.168.1.5', 'fd00::5', '169.254.1.1'],
    ['192.168.1.1'],
    { ipv4: '192.168.1.5', ipv6: 'fd00::5' },
  ],
  ['private ones when the server has no address at all', ['10.0.0.2'], [], { ipv4: '10.0.0.2', ipv6: '' }],
  ['none for a server in the public net, which sees better', ['10.0.0.2'], ['203.0.113.1'], { ipv4: '', ipv6: '' }],
  ['none at all', [], [], { ipv4: '', ipv6: '' }],
])('without an answer: %s', async (_name, own, servers, ip) => {
  expect(
    await find({ addresses: () => own, resolve: async () => servers }, { custom_ip_api: ['http://dead'] }),
  ).toEqual(ip)
})
