import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { onlySqlite } from '../../../../../tests/support/only-sqlite.ts'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'
import { createAudit } from '../records/audit.ts'
import type { JointWrites } from './joint-writes.ts'

let clock: TestClock
let base: TestBase
/** Batches as they were given to the database, per store. */
let saved: string[]
let failures: Record<string, Error>
beforeEach(async () => {
  clock = createTestClock()
  base = await createTestBase(clock)
  saved = []
  failures = {}
})
afterEach(() => base.close())

const join = (what: string) =>
  base.writes.join<string>(what, async (_db, rows) => {
    for (const row of rows) if (failures[row]) throw failures[row]
    saved.push(`${what} ${rows.join()}`)
  })

describe('joint writes', () => {
  test('what is added in one turn is one batch, with the newest row of each key', async () => {
    const [first, second] = [join('first'), join('second')]
    first(1, 'a')
    second(1, 'b')
    await Promise.resolve()
    first(2, 'c')
    first(1, 'd')
    await base.writes.stored()
    expect(saved).toEqual(['first d,c', 'second b'])
  })

  // PostgreSQL answers in a later turn.
  onlySqlite('who waits for rows of one store doesn’t wait for the turn to end', async () => {
    const add = join('rows')
    add(1, 'a')
    let isTurnOver = false
    setImmediate(() => {
      isTurnOver = true
    })
    await base.writes.stored()
    expect([saved, isTurnOver]).toEqual([['rows a'], false])
  })

  test('who waits for nothing doesn’t make the next turn’s rows be written before it ends', async () => {
    const add = join('rows')
    await base.writes.stored()
    add(1, 'a')
    for (let step = 0; step < 100; step += 1) await Promise.resolve()
    expect(saved).toEqual([])
    await base.writes.stored()
    expect(saved).toEqual(['rows a'])
  })

  test('one transaction: if one store fails, no other is stored, and both are later', async () => {
    const broken = join('broken')
    failures.b = new Error('locked')
    base.audit.record({ caller: null, action: 'server edit', result: 'ok' })
    broken(1, 'b')
    await expect(base.writes.stored()).rejects.toThrow('locked')
    const entries = async () => (await base.db.selectFrom('audit').select('action').execute()).length
    expect(await entries()).toBe(0)
    expect(base.writes.problem()).toBe('cannot write audit entries, broken')
    failures = {}
    await clock.advance(1000)
    await base.writes.stored()
    expect([await entries(), base.writes.problem()]).toEqual([1, null])
  })

  test('a row that the database refuses fails no other call, stays out of their transaction, and leaves no problem', async () => {
    const [add, others] = [join('rows'), join('others')]
    failures.bad = Object.assign(new Error('null byte'), { code: '22021' })
    // While a write is running, others come turn by turn.
    let release = () => {}
    const running = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = vi.fn(() => running)
    base.writes.join('slow', slow)(1, '')
    await vi.waitFor(() => expect(slow).toHaveBeenCalled())
    const turn = async (work: () => void) => {
      await new Promise((resolve) => setImmediate(resolve))
      work()
      const stored = base.writes.stored()
      stored.catch(() => {})
      return { stored }
    }
    const good = await turn(() => add(1, 'a'))
    const bad = await turn(() => {
      add(2, 'bad')
      others(1, 'with bad')
    })
    const next = await turn(() => add(3, 'c'))
    release()
    await expect(bad.stored).rejects.toThrow('null byte')
    await Promise.all([good.stored, next.stored])
    expect(saved).toEqual(['rows a', 'rows c', 'others with bad'])
    expect(base.lines.join('')).toContain('dropped one of the rows: refused by the database')
    expect(base.writes.problem()).toBeNull()
    await base.writes.finish()
  })

  test('without a refused row, all others are one transaction', async () => {
    const add = join('rows')
    failures.bad = Object.assign(new Error('null byte'), { code: '22021' })
    base.audit.record({ caller: null, action: 'server edit', result: 'ok' })
    add(1, 'bad')
    add(2, 'away')
    failures.away = new Error('locked')
    await expect(base.writes.stored()).rejects.toThrow('locked')
    const entries = async () => (await base.db.selectFrom('audit').select('action').execute()).length
    expect(await entries()).toBe(0)
    delete failures.away
    await clock.advance(1000)
    await base.writes.settled()
    expect([await entries(), saved]).toEqual([1, ['rows away']])
  })

  test('an audit entry is stored once, although the answer to the first attempt was lost', async () => {
    const rows: unknown[] = []
    const save = vi.fn<(db: unknown, rows: unknown) => Promise<void>>()
    const writes = {
      ...base.writes,
      join(_what: string, given: typeof save) {
        save.mockImplementation(given)
        return (_key: unknown, row: unknown) => void rows.push(row)
      },
    }
    const audit = await createAudit({ db: base.db, clock, writes: writes as unknown as JointWrites })
    const entry = { caller: null, result: 'ok' } as const
    audit.record({ ...entry, action: 'server edit' })
    await save(base.db, rows)
    audit.record({ ...entry, action: 'server delete' })
    await save(base.db, rows)
    expect(await base.db.selectFrom('audit').select('action').orderBy('id').execute()).toEqual([
      { action: 'server edit' },
      { action: 'server delete' },
    ])
  })

  test('the stop writes the rest, or says that it could not', async () => {
    const add = join('rows')
    add(1, 'a')
    await base.writes.finish()
    add(2, 'b')
    await base.writes.stored()
    expect(saved).toEqual(['rows a'])
  })
})
