import { GeoIP, Host, State } from '@qd/protocol/agent'
import { describe, expect, test } from 'vitest'
import { cleanLine, cleanOutput } from '../agents/clean-text.ts'
import { createCountryOf } from './country.ts'
import { sensible, toGeoIp, toHost, toState } from './figures.ts'

describe('S-40', () => {
  test.each([
    ['web\u001b[31m-1\u0007', 'web␛[31m-1␇'],
    ['a\nb\tc\0', 'a␊b␉c␀'],
    ['\u202eexe.txt', '\ufffdexe.txt'],
    ['\u009b2J', '\ufffd2J'],
    ['naïve 名前 👋🏽', 'naïve 名前 👋🏽'],
  ])('a reported line is harmless: %j', (text, expected) => expect(cleanLine(text, 128)).toBe(expected))

  test('a reported line is cut at whole characters', () => {
    expect(cleanLine('👋'.repeat(300), 128)).toBe('👋'.repeat(128))
    expect(cleanLine('x'.repeat(1e6), 5)).toBe('xxxxx')
  })

  test('output keeps lines and tabs and nothing else that acts', () => {
    expect(cleanOutput('a\tb\r\n50%\r100%\n\u001b]0;title\u0007')).toBe('a\tb\n50%\n100%\n␛]0;title␇')
  })

  test('host reports are bounded in every text and list', () => {
    const host = toHost(
      Host.fromPartial({
        platform: 'p'.repeat(5000),
        version: '2\n',
        cpu: Array(500).fill('c'.repeat(500)),
        mem_total: 1n,
      }),
    )
    expect(host).toEqual({
      platform: 'p'.repeat(128),
      version: '2␊',
      cpu: Array(32).fill('c'.repeat(128)),
      mem_total: 1,
    })
  })

  test('what is no number counts as zero', () => {
    const sample = State.fromPartial({ cpu: Number.NaN, load1: Number.POSITIVE_INFINITY, gpu: [Number.NaN, 3] })
    expect(toState(sample)).toEqual({ gpu: [0, 3] })
  })

  test('issue 11.8: figures without sense are dropped and counted, the others stay', () => {
    let dropped = 0
    const figure = sensible(() => (dropped += 1))
    const told = (sample: Parameters<typeof State.fromPartial>[0]) => toState(State.fromPartial(sample), figure)
    const temperatures = [-20, 1e300, -5000].map((temperature) => ({ name: 'cpu', temperature }))
    expect(
      told({ cpu: -5, load1: 1e300, mem_used: 2n ** 64n - 5n, swap_used: 7n, gpu: [200, 50], temperatures }),
    ).toEqual({
      swap_used: 7,
      gpu: [0, 50],
      temperatures: [-20, 0, 0].map((Temperature) => ({ Name: 'cpu', Temperature })),
    })
    expect(dropped).toBe(6)
    const host = Host.fromPartial({ mem_total: 2n ** 64n - 1n, boot_time: 2n ** 63n, disk_total: 5n })
    expect(toHost(host, figure)).toEqual({ disk_total: 5 })
    expect(dropped).toBe(8)
    expect(told({ cpu: 100.4, load1: 3.5, uptime: 9n })).toEqual({ cpu: 100, load_1: 3.5, uptime: 9 })
    expect(dropped).toBe(8)
  })
})

describe('addresses', () => {
  const geo = (ipv4: string, ipv6: string, use6 = false) => GeoIP.fromPartial({ use6, ip: { ipv4, ipv6 } })
  const asked: string[] = []
  const countryOf = (address: string) => {
    asked.push(address)
    return 'de'
  }

  test('the country is that of the IPv6 address where asked for or where there is no other', () => {
    expect(toGeoIp(geo('192.0.2.1', '2001:db8::1'), '', countryOf)).toEqual({
      ip: { ipv4_addr: '192.0.2.1', ipv6_addr: '2001:db8::1' },
      country_code: 'de',
    })
    toGeoIp(geo('192.0.2.1', '2001:db8::1', true), '', countryOf)
    toGeoIp(geo('', '2001:db8::1'), '192.0.2.9', countryOf)
    expect(asked).toEqual(['192.0.2.1', '2001:db8::1', '2001:db8::1'])
  })

  test("what is no address counts as none, and then the caller's own is taken", () => {
    expect(toGeoIp(geo('<script>', ''), '198.51.100.7', () => '')).toEqual({ ip: { ipv4_addr: '198.51.100.7' } })
    expect(toGeoIp(GeoIP.fromPartial({}), '', () => '')).toEqual({ ip: {} })
  })

  test('countries come from the table; private addresses have none', () => {
    const look = createCountryOf({ log: { warn: () => expect.unreachable() } as never })
    expect([look('8.8.8.8'), look('2001:4860:4860::8888'), look('10.0.0.1')]).toEqual(['us', 'us', ''])
  })
})
