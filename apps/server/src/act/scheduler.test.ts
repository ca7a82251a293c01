import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../tests/support/server/clock.ts'
import type { Engine } from '../kernel/engine.ts'
import { createScheduler } from './scheduler.ts'

let clock: TestClock
let base: TestBase
let scheduler: Engine
let started: string[]
let failing: Set<number>

async function begin(at: string, timeZone = 'UTC') {
  clock = createTestClock(Date.parse(at))
  base = await createTestBase(clock)
  await base.settings.put({ ...base.settings.get(), time_zone: timeZone })
  started = []
  failing = new Set()
  scheduler = createScheduler(base, {
    openOf: () => 0,
    async startCron({ id, name }) {
      if (failing.has(id)) throw new Error('refused')
      started.push(`${name} ${new Date(clock.now()).toISOString().slice(11, 19)}`)
      return id
    },
  })
}
beforeEach(() => begin('2026-11-20T12:00:00Z'))
afterEach(async () => {
  await scheduler.stop()
  await base.close()
})

const hourMs = 3_600_000

describe('scheduler', () => {
  test('runs tasks at their times, triggered ones never', async () => {
    await base.addCron({ name: 'each minute', scheduler: '0 * * * * *' })
    await base.addCron({ name: 'alert', task_type: 1, scheduler: '* * * * * *' })
    await base.addCron({ name: 'interval', scheduler: '@every 90s' })
    await scheduler.start()
    await clock.advance(3 * 60_000)
    expect(started).toEqual([
      'each minute 12:01:00',
      'interval 12:01:30',
      'each minute 12:02:00',
      'each minute 12:03:00',
      'interval 12:03:00',
    ])
  })

  test('issue 10.12: an interval keeps its beat through changes that are not its schedule', async () => {
    const task = await base.addCron({ name: 'daily', scheduler: '@every 24h', servers: [1, 2, 3] })
    await scheduler.start()
    for (const servers of [[2, 3], [3], []]) {
      await clock.advance(20 * hourMs)
      await base.crons.update(task.id, (row) => ({ ...row, servers }))
    }
    await clock.advance(12 * hourMs)
    expect(started).toEqual(Array(3).fill('daily 12:00:00'))
    await base.crons.update(task.id, (row) => ({ ...row, scheduler: '@every 10h' }))
    await clock.advance(10 * hourMs)
    expect(started.slice(3)).toEqual(['daily 22:00:00'])
  })

  test('issue 37: tasks of one owner are started one after the other, and keep out no one else’s', async () => {
    const under: string[] = []
    const done: (() => void)[] = []
    scheduler = createScheduler(base, {
      openOf: () => 0,
      startCron: ({ id, name }) => {
        under.push(name)
        return new Promise((resolve) => done.push(() => resolve(id)))
      },
    })
    for (const name of ['one', 'two', 'three']) await base.addCron({ name, scheduler: '0 * * * * *' })
    await base.addCron({ name: 'of another', scheduler: '0 * * * * *', owner_id: base.member.id })
    await scheduler.start()
    await clock.advance(60_000)
    expect(under).toEqual(['one', 'of another'])
    // What still waits a minute later is started once.
    await clock.advance(60_000)
    for (let turn = 0; turn < 10; turn += 1) {
      for (const end of done.splice(0)) end()
      await new Promise(setImmediate)
    }
    expect(under.slice(0, 4)).toEqual(['one', 'of another', 'two', 'of another'])
    expect(under.filter((name) => name === 'three')).toHaveLength(1)
  })

  test('issue 37: of many due tasks a few are taken at once, so that calls in between are answered', async () => {
    for (let owner = 1; owner <= 120; owner += 1)
      await base.addCron({ name: `${owner}`, scheduler: '0 * * * * *', owner_id: 1000 + owner })
    const sizes: number[] = []
    const { after } = clock
    clock.after = (ms, run) => {
      sizes.push(started.length)
      return after(ms, run)
    }
    await scheduler.start()
    await clock.advance(60_000)
    expect(started).toHaveLength(120)
    expect(sizes.filter((size) => size > 0)).toEqual([50, 100, 120])
  })

  test('follows a change, a deletion and the time zone at once', async () => {
    const task = await base.addCron({ name: 'a', scheduler: '0 30 12 * * *' })
    const other = await base.addCron({ name: 'b', scheduler: '0 5 12 * * *' })
    await scheduler.start()
    await base.crons.update(task.id, (row) => ({ ...row, scheduler: '0 10 12 * * *' }))
    await base.crons.remove([other.id])
    await clock.advance(hourMs / 2)
    expect(started).toEqual(['a 12:10:00'])
    await base.settings.put({ ...base.settings.get(), time_zone: 'Europe/Berlin' })
    await clock.advance(24 * hourMs)
    expect(started).toEqual(['a 12:10:00', 'a 11:10:00'])
  })
})

describe('S-49', () => {
  test('every second is every second', async () => {
    await base.addCron({ name: 's', scheduler: '* * * * * *' })
    await scheduler.start()
    await clock.advance(5000)
    expect(started).toHaveLength(5)
    expect(new Set(started).size).toBe(5)
  })

  test('a row corrupted in the database and a failing one do not stop others', async () => {
    const bad = await base.addCron({ name: 'bad', scheduler: 'every day at noon' })
    const broken = await base.addCron({ name: 'broken', scheduler: '0 1 12 * * *' })
    await base.addCron({ name: 'good', scheduler: '0 1 12 * * *' })
    failing.add(broken.id)
    await scheduler.start()
    await clock.advance(60_000)
    expect(started).toEqual(['good 12:01:00'])
    expect(scheduler.problem?.()).toBeTypeOf('string')
    expect(base.lines.some((line) => line.includes(`"cronId":${bad.id}`))).toBe(true)
  })

  test('a clock set back does not run anything twice', async () => {
    await base.addCron({ name: 'hourly', scheduler: '0 10 * * * *' })
    await scheduler.start()
    await clock.advance(11 * 60_000)
    clock.jump(-hourMs / 2)
    await clock.advance(hourMs)
    expect(started).toEqual(['hourly 12:10:00'])
    await clock.advance(hourMs)
    expect(started).toEqual(['hourly 12:10:00', 'hourly 13:10:00'])
  })

  test('R-15 a clock set back an hour goes on running a task of every minute', async () => {
    await base.addCron({ name: 'often', scheduler: '0 * * * * *' })
    await scheduler.start()
    await clock.advance(hourMs)
    clock.jump(-hourMs)
    started.length = 0
    await clock.advance(3 * 60_000)
    expect(started).toEqual(['often 12:01:00', 'often 12:02:00', 'often 12:03:00'])
  })

  test('R-15 what a clock that was ahead passed over runs when it is put right', async () => {
    await base.addCron({ name: 'hourly', scheduler: '0 10 * * * *' })
    await scheduler.start()
    clock.jump(1.8 * hourMs)
    await clock.advance(70_000)
    clock.jump(-1.8 * hourMs)
    await clock.advance(2 * hourMs)
    expect(started).toEqual(['hourly 12:10:00', 'hourly 13:10:00'])
  })

  test('a step of some seconds back repeats nothing', async () => {
    await base.addCron({ name: 'often', scheduler: '0 * * * * *' })
    await scheduler.start()
    await clock.advance(5 * 60_000)
    clock.jump(-30_000)
    await clock.advance(90_000)
    expect(started.filter((one) => one === 'often 12:05:00')).toHaveLength(1)
  })

  test('a clock that was days ahead and is put right lets tasks run again', async () => {
    await base.addCron({ name: 'hourly', scheduler: '0 10 * * * *' })
    await scheduler.start()
    await clock.advance(11 * 60_000)
    clock.jump(-48 * hourMs)
    await clock.advance(hourMs)
    expect(started).toEqual(['hourly 12:10:00', 'hourly 13:10:00'])
  })

  test('a clock set forward a day does not catch up what was missed', async () => {
    await base.addCron({ name: 'hourly', scheduler: '0 10 * * * *' })
    await scheduler.start()
    clock.jump(24 * hourMs + hourMs / 4)
    await clock.advance(30_000)
    expect(started).toEqual([])
    await clock.advance(hourMs)
    expect(started).toEqual(['hourly 13:10:00'])
  })

  test('a time in the gap of a clock change is skipped', async () => {
    await base.close()
    await begin('2026-03-28T23:00:00Z', 'Europe/Berlin')
    await base.addCron({ name: 'nightly', scheduler: '0 30 2 * * *' })
    await scheduler.start()
    await clock.advance(12 * hourMs)
    expect(started).toEqual([])
    await clock.advance(24 * hourMs)
    expect(started).toEqual(['nightly 00:30:00'])
  })

  test('a time that comes twice at a clock change runs once', async () => {
    await base.close()
    await begin('2026-10-24T22:00:00Z', 'Europe/Berlin')
    await base.addCron({ name: 'nightly', scheduler: '0 30 2 * * *' })
    await scheduler.start()
    await clock.advance(12 * hourMs)
    expect(started).toEqual(['nightly 00:30:00'])
  })
})
