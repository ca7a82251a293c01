import { expect, test } from 'vitest'
import { now, viewOf } from '../../../../tests/support/core/rows.ts'
import { fieldValue } from '../define/index.ts'
import { server } from './server.ts'

const zero = '0001-01-01T00:00:00Z'
const host = { platform: 'debian', mem_total: 2_000_000_000 }

test.each([
  ['a Nezha dashboard zeroes the times of an agent that disconnected, but keeps its host', { host }, 'offline'],
  ['a host that reported no memory', { host: { platform: 'linux' } }, 'offline'],
  ['no host was ever reported', {}, 'never'],
])('issue 36.14 %s', (_name, told, status) => {
  const row = server.read.parse({ id: 1, name: 'web-1', last_active: zero, ...told })
  expect(fieldValue(server, row, 'status', viewOf({}))).toBe(status)
})

test.each([
  [{ units_failed: 1 }, 'warning'],
  [{ containers_unhealthy: 2 }, 'warning'],
  [{ fs_used_max: 96 }, 'warning'],
  [{ fs_inodes_max: 95 }, 'warning'],
  [{ units_failed: 0, fs_used_max: 94, updates_security: 12, reboot_required: 1 }, 'online'],
  [{}, 'online'],
])('issue 40: a server that is online, of whose host %j is known, is %s', (watched, status) => {
  const active = new Date(now).toISOString()
  const row = server.read.parse({ id: 1, name: 'web-1', host, last_active: active, watched })
  expect(fieldValue(server, row, 'status', viewOf({}))).toBe(status)
})

test('the status of a record that changes in place follows each sample, and the time without one', () => {
  const active = new Date(now).toISOString()
  const row = server.read.parse({ id: 1, name: 'web-1', host, state: { cpu: 12 }, last_active: active })
  const statusAt = (at: number) => fieldValue(server, row, 'status', { ...viewOf({}), now: at })
  expect([statusAt(now), statusAt(now + 30_000), statusAt(now + 30_001)]).toEqual(['online', 'online', 'offline'])
  Object.assign(row, { state: { cpu: 99 }, last_active: new Date(now + 60_000).toISOString() })
  expect([statusAt(now + 60_000), statusAt(now + 90_001), statusAt(now + 60_000)]).toEqual([
    'warning',
    'offline',
    'warning',
  ])
  Object.assign(row, { watched: { units_failed: 1 }, state: { cpu: 12 } })
  expect(statusAt(now + 60_000)).toBe('warning')
  Object.assign(row, { watched: {} })
  expect(statusAt(now + 60_000)).toBe('online')
})
