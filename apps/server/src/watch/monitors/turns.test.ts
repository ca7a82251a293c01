import { describe, expect, test } from 'vitest'
import type { ServiceRow } from '../../store/records/rows.ts'
import { readAnswer } from './probe-answer.ts'
import { everyMsOf, type ProbedService, turnsAfter } from './turns.ts'

const service = (fields: Partial<ServiceRow> = {}): ProbedService => ({
  ...{ id: 1, type: 1, target: 'a', cover: 0, skip_servers: [], duration: 30 },
  ...fields,
})
const before = service()
const now = 500
const turns = [
  { id: 1, everyMs: 30_000, nextAt: 9000 },
  { id: 2, everyMs: 60_000, nextAt: 8000 },
]

describe('the next turn of a service', () => {
  test.each([
    ['new, at once', { before: null, after: service() }, now],
    ['renamed, where it was', { before, after: service({ name: 'b' }) }, 9000],
    ['of another target, at once', { before, after: service({ target: 'b' }) }, now],
    ['of another kind, at once', { before, after: service({ type: 2 }) }, now],
    ['of another interval, at once', { before, after: service({ duration: 60 }) }, now],
    ['looked at by others, at once', { before, after: service({ cover: 1 }) }, now],
    ['without a server more, at once', { before, after: service({ skip_servers: [4] }) }, now],
    [
      'whose list lost a deleted server, where it was',
      { before: service({ skip_servers: [4] }), after: before, isCleaning: true as const },
      9000,
    ],
  ])('%s', (_, change, nextAt) => {
    const next = turnsAfter(turns, { id: 1, ...change }, now)
    expect(next.find(({ id }) => id === 1)?.nextAt).toBe(nextAt)
    expect(next.filter(({ id }) => id === 2)).toEqual([turns[1]])
  })
  test('deleted, none', () => {
    expect(turnsAfter(turns, { id: 1, before, after: null }, now)).toEqual([turns[1]])
  })
  test('is a second away at the soonest', () => {
    expect([0, 1, 30].map((duration) => everyMsOf({ duration }))).toEqual([1000, 1000, 30_000])
  })
})

describe('what an agent says', () => {
  test.each([
    ['a delay as it is', { successful: true, delay: 12.5, data: '' }, { ok: true, delay: 12.5, data: '' }],
    ['no time before it was asked', { successful: true, delay: -3, data: '' }, { ok: true, delay: 0, data: '' }],
    ['no number is 0', { successful: true, delay: Number.NaN, data: '' }, { ok: true, delay: 0, data: '' }],
    ['an hour at most', { successful: true, delay: 1e9, data: '' }, { ok: true, delay: 3_600_000, data: '' }],
    [
      'a failure has none',
      { successful: false, delay: 5, data: 'refused' },
      { ok: false, delay: null, data: 'refused' },
    ],
    [
      'a status in no language',
      { successful: false, delay: 0, data: ' 应用错误: 503 ' },
      { ok: false, delay: null, data: 'HTTP 503' },
    ],
  ])('%s', (_, told, read) => {
    expect(readAnswer(told)).toEqual({ address: '', ...read })
  })
  test.each([
    ['127.0.0.1:443', '127.0.0.1:443', ''],
    ['[fe80::1%eth0]:80', '[fe80::1%eth0]:80', ''],
    ['::1', '::1', ''],
    ['R11|2026-03-01 12:00:00 +0000 UTC', '', 'R11|2026-03-01 12:00:00 +0000 UTC'],
    ['hello: there', '', 'hello: there'],
  ])('issue 36.6: success with %j', (said, address, data) => {
    expect(readAnswer({ successful: true, delay: 1, data: said })).toEqual({ ok: true, delay: 1, data, address })
  })
  test('500 characters in one line', () => {
    const { data } = readAnswer({ successful: false, delay: 0, data: `a\n${'b'.repeat(900)}` })
    expect(data.length).toBeLessThanOrEqual(500)
    expect(data).not.toContain('\n')
  })
})
