import { expect, test } from 'vitest'
import { shownAddress } from './address-ranges.ts'

test.each([
  ['103.80.236.249', '', '103.****.249'],
  ['', 'd5ce:d811:cdb8:067a:a873:2076:9521:9d2d', 'd5ce:d811:****:9521:9d2d'],
  ['', 'd5ce::cdb8:067a:a873:2076::9d2d', 'd5ce::****::9d2d'],
  ['', '2001:4860::1', '2001:4860::1'],
  ['1.2.3.4', '2001:db8:1:2:3:4:5:6', '1.****.4/2001:db8:****:5:6'],
  ['2001:db8:1:2:3:4:5:6', '', '2001:db8:****:5:6'],
  ['', '', ''],
])('%s %s is shown as %s', (ipv4_addr, ipv6_addr, masked) => {
  expect(shownAddress({ ip: { ipv4_addr, ipv6_addr } }, false)).toBe(masked)
  expect(shownAddress({ ip: { ipv4_addr, ipv6_addr } }, true)).toBe([ipv4_addr, ipv6_addr].filter(Boolean).join('/'))
})
