import { expect, test } from 'vitest'
import { proxyFaults } from './ProxyAdvice.tsx'

const here = { host: 'console.example.net', protocol: 'https:' }

test.each([
  [{ host: '127.0.0.1:8008', secure: true }, ['host']],
  [{ host: 'Console.example.net', secure: true }, ['upgrade']],
  [{ host: 'console.example.net', secure: false }, ['scheme', 'upgrade']],
] as const)('issue 36.42 what a proxy changes: %j', (seen, faults) => expect(proxyFaults(seen, here)).toEqual(faults))
