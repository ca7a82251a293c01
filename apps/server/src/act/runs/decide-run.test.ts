import { ItemState } from '@qd/core/resources'
import { describe, expect, test } from 'vitest'
import { inOrder, orderAgain, startedRun, takenUp } from './decide-run.ts'
import type { RunOrder, RunRow } from './run-types.ts'

const order: RunOrder = {
  ownerId: 1,
  kind: 'cron',
  name: 'backup',
  command: 'tar',
  targets: { mode: 'except', servers: [] },
  by: 'mara',
  cronId: 4,
}
const plan = { canary: 1, batch: 2, soak: 0, max_failures: 0 }

test.each([
  ['as named, each once', { mode: 'only', servers: [3, 1, 3, 2] }, [1, 3], [3, 1]],
  ['as they are, where none is named', { mode: 'except', servers: [] }, [2, 1], [2, 1]],
] as const)('servers are asked %s', (_, targets, connected, asked) => {
  expect(inOrder(targets as RunOrder['targets'], connected)).toEqual(asked)
})

describe('a run that starts', () => {
  const known = { now: 500, nameOf: (id: number) => `web-${id}`, versionOf: () => '1.2' }
  const started = (fields: Partial<RunOrder>, online: number[], offline: number[]) =>
    startedRun({ ...order, ...fields }, { ...known, online, offline })

  test.each([
    ['is sent to who is connected', {}, [1], [], [[1, ItemState.sent, 500, '1.2']], null],
    ['has an end at once where nobody is', {}, [], [2], [[2, ItemState.noAnswer, null, '']], 500],
    ['waits, as a rollout', { rollout: plan }, [1], [], [[1, ItemState.waiting, null, '']], null],
  ] as const)('%s', (_, fields, online, offline, parts, finished) => {
    const { run, items } = started(fields, [...online], [...offline])
    expect(items.map((item) => [item.server_id, item.state, item.started_at, item.version_before])).toEqual(parts)
    expect(run).toMatchObject({ finished_at: finished, cron_id: 4, started_by: 'mara', deadline_ms: null })
  })
  test('as a rollout is going', () => {
    expect(started({ rollout: plan }, [1], []).rollout).toEqual({ ...plan, state: 'going' })
    expect(started({}, [1], []).rollout).toBeNull()
  })
})

describe('once more', () => {
  const run = { owner_id: 1, cron_id: 4, kind: 'cron', name: 'backup', command: 'tar', finished_at: 9 }
  const row = (fields: Partial<RunRow> = {}) =>
    ({ ...run, deadline_ms: null, rollout: null, ...fields }) as unknown as RunRow
  const [good, bad] = [
    { state: ItemState.success, server_id: 1 },
    { state: ItemState.failure, server_id: 2 },
  ]
  const again = (fields: Partial<RunRow>, items = [good, bad], hasTask = true) =>
    orderAgain({ run: row(fields), items }, { by: 'bo', hasTask })

  test.each([
    ['not while it is open', again({ finished_at: null }), 'stillOpen'],
    ['not where all went well', again({}, [good]), 'nothingLeft'],
  ])('%s', (_, answer, reason) => {
    expect(answer).toBe(reason)
  })
  test('on the servers that are left, by who asks, as careful as before', () => {
    const rollout = { ...plan, state: 'stopped' } as const
    expect(again({ rollout, deadline_ms: 60 })).toMatchObject({
      targets: { mode: 'only', servers: [2] },
      by: 'bo',
      cronId: 4,
      deadlineMs: 60,
      rollout: plan,
    })
  })
  test('of a deleted task it is no run of that task', () => {
    expect(again({}, [bad], false)).toMatchObject({ cronId: 0 })
  })
})

describe('after a restart', () => {
  const part = (id: number, state: ItemState, started_at: number | null) =>
    ({ id, server_id: id * 10, state, started_at, version_before: '1.0' }) as const
  const now = 1_000_000

  test.each([
    ['what is left of its time', 300_000, now - 100_000, 200_000],
    ['a minute at least', 300_000, now - 299_000, 60_000],
    ['all of it, where it was sent by a clock that was ahead', 300_000, now + 50_000, 300_000],
  ])('a part has %s', (_, deadlineMs, startedAt, left) => {
    const { deadlineMs: found } = takenUp({ rollout: null }, [part(1, ItemState.sent, startedAt)], { now, deadlineMs })
    expect(found).toBe(left)
  })
  test.each([
    ['going', 'paused'],
    ['paused', 'paused'],
    ['stopped', 'stopped'],
  ] as const)('a rollout that was %s is %s, and who waits still waits', (before, after) => {
    const items = [part(1, ItemState.sent, now), part(2, ItemState.waiting, null)]
    const found = takenUp({ rollout: { ...plan, state: before } }, items, { now, deadlineMs: 1 })
    expect(found).toMatchObject({ rollout: { state: after }, waiting: [{ id: 2, serverId: 20 }] })
    expect(found.sent).toEqual([{ id: 1, serverId: 10, versionBefore: '1.0', isRestored: true }])
  })
})
