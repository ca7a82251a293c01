import { expect, test } from 'vitest'
import { fieldValue } from '../define/index.ts'
import { server } from './server.ts'
import { now, viewOf } from './testing.ts'

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
