import { describe, expect, test } from 'vitest'
import type { DdnsRow } from '../../store/records/rows.ts'
import { addressesOf, profilesOf, wantedRecords, withResults } from './plan.ts'

describe('addresses', () => {
  test.each([
    ['both', { ipv4_addr: '203.0.113.7', ipv6_addr: '2001:db8::7' }, '203.0.113.7', '2001:db8::7'],
    ['none', undefined, '', ''],
    ['an IPv6 address in the place of IPv4 (agent-protocol 4)', { ipv4_addr: '2001:db8::7' }, '', '2001:db8::7'],
    ['something else', { ipv4_addr: 'nowhere' }, '', ''],
  ])('%s', (_name, ip, ipv4, ipv6) => expect(addressesOf(ip)).toEqual({ ipv4, ipv6 }))
})

describe('profiles that a server follows (contract engines 6.3)', () => {
  const profile = (id: number, owner_id: number) => ({ id, owner_id }) as DdnsRow
  const all = [profile(1, 7), profile(2, 8), profile(3, 1), profile(4, 0)]
  const profiles = { find: (id: number) => all.find((one) => one.id === id) }
  const isAdmin = (owner: number) => owner === 1 || owner === 0
  test.each([
    ['its owner’s', { owner_id: 7, ddns_profiles: [1] }, [1]],
    ['an administrator’s', { owner_id: 7, ddns_profiles: [3] }, [3]],
    ['not somebody else’s', { owner_id: 7, ddns_profiles: [2] }, []],
    ['not nobody’s, but for a server that is nobody’s', { owner_id: 7, ddns_profiles: [4] }, []],
    ['nobody’s for nobody’s', { owner_id: 0, ddns_profiles: [4, 1] }, [4]],
    ['none that are gone', { owner_id: 7, ddns_profiles: [9, 1] }, [1]],
  ])('%s', (_name, server, ids) => {
    expect(profilesOf({ enable_ddns: true, ...server }, profiles, isAdmin).map(({ id }) => id)).toEqual(ids)
  })
  test('none while DDNS is off', () => {
    expect(profilesOf({ enable_ddns: false, owner_id: 7, ddns_profiles: [1] }, profiles, isAdmin)).toEqual([])
  })
})

describe('records that are wanted', () => {
  const ip = { ipv4_addr: '203.0.113.7', ipv6_addr: '2001:db8::7' }
  const base = { id: 5, domains: ['a.net', 'b.net', 'a.net'], enable_ipv4: true, enable_ipv6: false }
  const lines = (profile: object, own: Record<string, string[]>, from: object | undefined = ip) =>
    wantedRecords({ ...base, ...profile }, { override_ddns_domains: own }, from).map(
      ({ domain, record, address }) => `${domain} ${record} ${address}`,
    )
  test('each domain once, IPv4', () => expect(lines({}, {})).toEqual(['a.net A 203.0.113.7', 'b.net A 203.0.113.7']))
  test('both versions', () =>
    expect(lines({ domains: ['a.net'], enable_ipv6: true }, {})).toEqual([
      'a.net A 203.0.113.7',
      'a.net AAAA 2001:db8::7',
    ]))
  test('a version without an address is left out', () =>
    expect(lines({ enable_ipv4: false, enable_ipv6: true }, {}, { ipv4_addr: '203.0.113.7' })).toEqual([]))
  test('domains of the server’s own stand in the place of the profile’s', () =>
    expect(lines({}, { 5: ['web-1.net'], 6: ['other.net'] })).toEqual(['web-1.net A 203.0.113.7']))
  test('an empty list of its own is none', () => expect(lines({}, { 5: [] })).toHaveLength(2))
})

test('results of one server are replaced as a whole, and go when it leaves', () => {
  const result = (server_id: number, domain: string, error = '') =>
    ({ server_id, server: `s${server_id}`, domain, record: 'A', address: '1.1.1.1', at: '', error, tries: 1 }) as const
  const before = withResults({}, 1, [result(1, 'a.net'), result(1, 'b.net')])
  const both = withResults(before, 2, [result(2, 'a.net')])
  expect(Object.keys(both)).toEqual(['1 A a.net', '1 A b.net', '2 A a.net'])
  expect(Object.keys(withResults(both, 1, [result(1, 'c.net')]))).toEqual(['2 A a.net', '1 A c.net'])
  expect(Object.keys(withResults(both, 1, null))).toEqual(['2 A a.net'])
})
