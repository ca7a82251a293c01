import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../../tests/support/server/base.ts'
import { createTestClock, type TestClock } from '../../../../../tests/support/server/clock.ts'

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

  test('a row that the database refuses holds up no other', async () => {
    const add = join('rows')
    failures.bad = Object.assign(new Error('null byte'), { code: '22021' })
    for (const [at, row] of ['a', 'bad', 'c'].entries()) add(at, row)
    await expect(base.writes.stored()).rejects.toThrow('null byte')
    expect(saved).toEqual(['rows a', 'rows c'])
    expect(base.lines.join('')).toContain('refused by the database')
    add(9, 'd')
    await base.writes.stored()
    expect(saved.at(-1)).toBe('rows d')
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
