import { liveFrame } from '@qd/core/schemas'
import { expect, test } from 'vitest'
import { toPublic } from './public-server.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const [row] = liveFrame().parse({
  now,
  servers: [
    {
      id: 1,
      name: 'web-1',
      host: { mem_total: 100, disk_total: 100 },
      state: { cpu: 4, mem_used: 97, disk_used: 40 },
      last_active: '2026-11-20T12:00:00Z',
    },
  ],
}).servers

test('issue 36.30 a frame without a public note keeps the note of the frame before', () => {
  const first = toPublic({ ...row!, public_note: '5 EUR' }, now)
  expect(toPublic(row!, now, first).note).toBe('5 EUR')
  expect(toPublic({ ...row!, public_note: '' }, now, first).note).toBe('')
})

test('issue 36.31 memory and disk make a warning as in the console, and the tile names the metric', () => {
  expect(toPublic(row!, now)).toMatchObject({ busy: { is: true }, load: { figure: 'memory', value: 97 } })
  const full = { ...row!, state: { cpu: 4, mem_used: 10, disk_used: 95 } }
  expect(toPublic(full, now)).toMatchObject({ busy: { is: true }, load: { figure: 'disk', value: 95 } })
  expect(toPublic({ ...row!, host: {}, state: {} }, now)).toMatchObject({ busy: { is: false }, load: null })
})
