import { expect, test } from 'vitest'
import { noticeAddress } from './addresses.ts'

test.each([
  [{ ipv4_addr: '103.80.236.249' }, '103.****.249'],
  [{ ipv6_addr: 'd5ce:d811:cdb8:067a:a873:2076:9521:9d2d' }, 'd5ce:d811:****:9521:9d2d'],
  [{ ipv6_addr: 'd5ce::cdb8:067a:a873:2076::9d2d' }, 'd5ce::****::9d2d'],
  [{ ipv6_addr: '2001:4860::1' }, '2001:4860::1'],
  [{ ipv4_addr: '103.80.236.249', ipv6_addr: '2001:4860:1:2:3:4:5:6' }, '103.****.249/2001:4860:****:5:6'],
  [{ ipv4_addr: '2001:4860:1:2:3:4:5:6' }, '2001:4860:****:5:6'],
  [{}, ''],
])('%j is told as %s', (ip, text) => {
  expect(noticeAddress(ip, false)).toBe(text)
})

test('plain addresses where the settings say so', () => {
  expect(noticeAddress({ ipv4_addr: '103.80.236.249', ipv6_addr: '2001::1' }, true)).toBe('103.80.236.249/2001::1')
})
