import type { RuleCondition } from '@qd/core/define'
import { expect, test } from 'vitest'
import { keepFrom } from './traffic.ts'

const now = Date.parse('2026-03-20T12:00:00Z')
const cycle = (unit: string, cover: number, ids: number[], max = 1): RuleCondition => ({
  type: 'transfer_all_cycle',
  max,
  cycle_start: '2026-01-01T00:00:00Z',
  cycle_interval: 1,
  cycle_unit: unit,
  cover,
  ignore: Object.fromEntries(ids.map((id) => [id, true])),
})
const month = '2026-03-01T00:00:00.000Z'
const day = '2026-03-20T00:00:00.000Z'
const year = '2026-01-01T00:00:00.000Z'

test.each<[string, (RuleCondition | null)[][], (string | null)[]]>([
  ['no rules', [], [null, null]],
  ['a rule without cycles', [[{ type: 'cpu', max: 1, duration: 3, cover: 0 }]], [null, null]],
  ['all servers', [[cycle('month', 0, [])]], [month, month]],
  ['the longest of several', [[cycle('day', 0, [])], [cycle('month', 0, [])]], [month, month]],
  ['only one', [[cycle('month', 1, [1])]], [month, null]],
  ['all but one', [[cycle('month', 0, [1])]], [null, month]],
  ['Q27: one by name for a day, all for a year', [[cycle('day', 1, [1])], [cycle('year', 0, [])]], [year, year]],
  ['one by name for a year, all for a day', [[cycle('year', 1, [1]), cycle('day', 0, [])]], [year, day]],
  [
    'S-50 damaged conditions beside a good one',
    [[null, { type: 'x_cycle' } as never, cycle('month', 0, [])]],
    [month, month],
  ],
])('traffic of two servers is kept from: %s', (_name, rules, kept) => {
  const text = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  expect([1, 2].map((id) => text(keepFrom(rules, id, now)))).toEqual(kept)
})
