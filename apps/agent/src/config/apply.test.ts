import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AgentConfig, defaultConfig, findFault, toConfigJson } from './agent-config.ts'
import { applyConfig, applyTransfer, ConfigRefusal } from './apply.ts'

const current: AgentConfig = {
  ...defaultConfig,
  server: 'host:8008',
  client_secret: 's3cret',
  uuid: '3b0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f',
  report_delay: 2,
  tls: true,
  dns: ['1.1.1.1:53'],
  nic_allowlist: { eth0: true },
}
const apply = (change: unknown) => applyConfig(current, JSON.stringify(change))

test.each<[string, unknown, Partial<AgentConfig>]>([
  ['a missing key stays', {}, {}],
  ['nothing at all', null, {}],
  ['null leaves a scalar', { report_delay: null, server: null, tls: null }, {}],
  ['null clears lists and maps', { dns: null, nic_allowlist: null }, { dns: [], nic_allowlist: {} }],
  ['a list is replaced', { dns: ['9.9.9.9:53'] }, { dns: ['9.9.9.9:53'] }],
  ['a map is merged', { nic_allowlist: { eth1: true } }, { nic_allowlist: { eth0: true, eth1: true } }],
  ['keys in any case', { Report_Delay: 3, DEBUG: true }, { report_delay: 3, debug: true }],
  ['unknown keys are ignored', { dns_raw: '', nonsense: {} }, {}],
  ['0 means the default', { report_delay: 0, ip_report_period: 0 }, { report_delay: 1, ip_report_period: 1800 }],
  ['addresses every 30 s at most', { ip_report_period: 1 }, { ip_report_period: 30 }],
  ['the same secret is no change', { client_secret: 's3cret' }, {}],
  ['a hostile name is a name', JSON.parse('{"__proto__":{"debug":true},"constructor":1}'), {}],
])('%s', (_name, change, wanted) => {
  expect(apply(change)).toEqual({ ...current, ...wanted })
})

test.each<[unknown, string]>([
  [{ report_delay: 5 }, 'report-delay ranges from 1-4'],
  [{ report_delay: '2' }, 'json: cannot unmarshal string into Go struct field AgentConfig.report_delay of type uint32'],
  [
    { report_delay: 1.5 },
    'json: cannot unmarshal number 1.5 into Go struct field AgentConfig.report_delay of type uint32',
  ],
  [
    { ip_report_period: -1 },
    'json: cannot unmarshal number -1 into Go struct field AgentConfig.ip_report_period of type uint32',
  ],
  [{ tls: 1 }, 'json: cannot unmarshal number into Go struct field AgentConfig.tls of type bool'],
  [{ server: ['x'] }, 'json: cannot unmarshal array into Go struct field AgentConfig.server of type string'],
  [{ dns: 'x' }, 'json: cannot unmarshal string into Go struct field AgentConfig.dns of type []string'],
  [{ dns: [true] }, 'json: cannot unmarshal bool into Go struct field AgentConfig.dns of type string'],
  [
    { nic_allowlist: ['a'] },
    'json: cannot unmarshal array into Go struct field AgentConfig.nic_allowlist of type map[string]bool',
  ],
  [
    { nic_allowlist: { a: 'x' } },
    'json: cannot unmarshal string into Go struct field AgentConfig.nic_allowlist of type bool',
  ],
  [[], 'json: cannot unmarshal array into Go value of type AgentConfig'],
  [{ custom_ip_api: ['ftp://x'] }, 'custom_ip_api entry "ftp://x" must use http or https scheme'],
  [{ server: 'nowhere' }, 'server must be HOST:PORT, not "nowhere"'],
  [{ uuid: 'x' }, 'uuid must be 36 characters like 3b0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f, not "x"'],
  [{ client_secret: 'x' }, 'ApplyConfig rejected: client_secret rotation must use TaskTypeServerTransferApply'],
])('%j is refused: %s', (change, text) => {
  expect(() => apply(change)).toThrow(new ConfigRefusal(text))
})

test('whatever JSON comes: refused as a whole, or a configuration that can be used', () => {
  const value = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(defaultConfig)), fc.jsonValue()))
  fc.assert(
    fc.property(value, (change) => {
      try {
        const next = apply(change)
        expect(findFault(next)).toBeUndefined()
        expect(Object.keys(next)).toEqual(Object.keys(defaultConfig))
        expect(next.client_secret).toBe('s3cret')
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigRefusal)
      }
    }),
  )
})

const secret = 'swiD8t6rNvh2HfNMtIEIe6Lm94rptF1o'
const transfer = (client_secret: unknown, parts: Partial<AgentConfig> = {}) =>
  applyTransfer({ ...current, ...parts }, JSON.stringify({ client_secret }))

test('a transfer changes the secret and nothing else', () => {
  expect(transfer(secret)).toEqual({ ...current, client_secret: secret })
})

test.each<[string, Partial<AgentConfig>, string]>([
  ['short', {}, 'rejected client_secret rotation: length=5, want 32'],
  [`${secret.slice(1)}é`, {}, 'rejected client_secret rotation: length=33, want 32'],
  [`-${secret.slice(1)}`, {}, 'rejected client_secret rotation: byte 0 outside [0-9A-Za-z]'],
  [
    secret,
    { tls: false },
    'ServerTransferApply rejected: rotated secret cannot be delivered over plaintext or InsecureTLS',
  ],
  [
    secret,
    { insecure_tls: true },
    'ServerTransferApply rejected: rotated secret cannot be delivered over plaintext or InsecureTLS',
  ],
])('transfer of %j with %j is refused: %s', (client_secret, parts, text) => {
  expect(() => transfer(client_secret, parts)).toThrow(new ConfigRefusal(text))
})

test('the report leaves out empty lists and nothing else', () => {
  expect(Object.keys(toConfigJson(current))).toHaveLength(25 - 2)
  expect(
    Object.keys(toConfigJson({ ...current, hard_drive_partition_allowlist: ['/'], custom_ip_api: ['http://a'] })),
  ).toEqual(Object.keys(defaultConfig))
})
