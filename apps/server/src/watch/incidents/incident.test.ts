import { IncidentState } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { dueActions, dueAtRecovery, type IncidentRow, withoutDone } from './incident.ts'
import { isGone } from './incidents.ts'

const hour = 3_600_000
const row = (fields: Partial<IncidentRow> = {}) =>
  ({
    state: IncidentState.open,
    created_at: 0,
    told: [],
    notice_pending: false,
    tasks_pending: false,
    ...fields,
  }) as IncidentRow
const calm = { now: hour, inWindow: false, repeats: false, restored: false }
const told = (at: number) => ({ told: [{ notification_id: 1, name: 'mail', at, ok: true, error: '' }] })

describe('an incident that still fails', () => {
  test.each([
    ['does what it owes', { notice_pending: true, tasks_pending: true }, {}, { notice: true, tasks: true }],
    ['does nothing twice', {}, {}, { notice: false, tasks: false }],
    [
      'does nothing in a window',
      { notice_pending: true, tasks_pending: true },
      { inWindow: true },
      { notice: false, tasks: false },
    ],
    ['is told again where it repeats', {}, { repeats: true }, { notice: true, tasks: false }],
    [
      'is told nobody who has taken it',
      { state: IncidentState.acknowledged },
      { repeats: true },
      { notice: false, tasks: false },
    ],
    [
      'runs its tasks though it is silenced',
      { state: IncidentState.silenced, notice_pending: true, tasks_pending: true },
      {},
      { notice: false, tasks: true },
    ],
    [
      'is not told again soon after a restart',
      told(0),
      { repeats: true, restored: true },
      { notice: false, tasks: false },
    ],
    [
      'is told again a day after it was, restart or not',
      told(0),
      { repeats: true, restored: true, now: 24 * hour },
      { notice: true, tasks: false },
    ],
  ] as const)('%s', (_, known, at, due) => {
    expect(dueActions(row(known as Partial<IncidentRow>), { ...calm, ...at })).toEqual(due)
  })
})

test.each([
  ['told, with tasks', {}, true, { notice: true, tasks: true }],
  ['not told where nobody heard of it', { notice_pending: true }, true, { notice: false, tasks: true }],
  ['not told while silenced', { state: IncidentState.silenced }, true, { notice: false, tasks: true }],
  ['not told where nobody is to be', {}, false, { notice: false, tasks: true }],
  ['without tasks where those of the failure never ran', { tasks_pending: true }, true, { notice: true, tasks: false }],
])('an end is %s', (_, known, notify, due) => {
  expect(dueAtRecovery(row(known), { notify })).toEqual(due)
})

test.each([
  [{ notice: true, tasks: false }, false, true],
  [{ notice: false, tasks: true }, true, false],
])('what is done is owed no more: %o', (due, notice, tasks) => {
  expect(withoutDone(row({ notice_pending: true, tasks_pending: true }), due)).toMatchObject({
    notice_pending: notice,
    tasks_pending: tasks,
  })
})

test.each([
  ['its rule', { source: 'alert-rule', sourceId: 7 }, true],
  ['its rule on its server', { source: 'alert-rule', sourceId: 7, serverId: 3 }, true],
  ['its rule on another server', { source: 'alert-rule', sourceId: 7, serverId: 4 }, false],
  ['another rule', { source: 'alert-rule', sourceId: 8 }, false],
  ['a monitor of the same number', { source: 'service', sourceId: 7 }, false],
] as const)('an incident goes with %s: %o', (_, gone, goes) => {
  expect(isGone({ source: 'alert-rule', rule_id: 7, service_id: 0, server_id: 3 }, gone)).toBe(goes)
})
