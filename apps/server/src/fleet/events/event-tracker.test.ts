import { expect, test } from 'vitest'
import { compareFacts, type Facts } from './event-tracker.ts'

const usual: Facts = { online: 1, boot_time: 1_700_000_000, version: '1.0.0', address: '192.0.2.1' }

test.each<[what: string, before: Partial<Facts>, after: Partial<Facts>, kinds: string[]]>([
  ['nothing', {}, {}, []],
  ['silence', {}, { online: 0 }, ['offline']],
  ['a first report', { online: 0, boot_time: 0, version: '', address: '' }, {}, ['online']],
  ['a restart', {}, { boot_time: 1_700_000_100 }, ['restarted']],
  ['a boot time that is worked out anew', {}, { boot_time: 1_700_000_002 }, []],
  ['an older boot', {}, { boot_time: 1_600_000_000 }, []],
  ['another agent', {}, { version: '1.1.0' }, ['agent-version']],
  ['another address', {}, { address: '192.0.2.2' }, ['ip-changed']],
  ['an address that is learned', { address: '' }, {}, []],
  ['a host that is not known yet', {}, { version: '', address: '', boot_time: 0 }, []],
  [
    'everything at once',
    { online: 0 },
    { boot_time: 1_800_000_000, version: '2', address: '::1' },
    ['online', 'restarted', 'agent-version', 'ip-changed'],
  ],
])('of %s', (_, before, after, kinds) => {
  const events = compareFacts({ ...usual, ...before }, { ...usual, ...after })
  expect(events.map(({ kind }) => kind)).toEqual(kinds)
})

test('a change says what was and what is', () => {
  const [event] = compareFacts(usual, { ...usual, version: '1.1.0' })
  expect(event!.params).toEqual({ before: '1.0.0', after: '1.1.0' })
})
