import Driver from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { SqliteInTurn } from './in-turn.ts'

const open = () =>
  new Kysely<Record<string, never>>({ dialect: new SqliteInTurn({ database: new Driver(':memory:') }) })

test('issue 11.2: calls that wait are answered in their order, and a crowd of them costs no more each than a few', async () => {
  const db = open()
  const answered: number[] = []
  const ask = async (number: number) => {
    await sql`select 1`.execute(db)
    answered.push(number)
  }
  // The quickest of some rounds: what else the machine does makes some slower.
  const timed = async (count: number) => {
    const rounds: number[] = []
    for (let round = 0; round < 5; round += 1) {
      answered.length = 0
      const started = performance.now()
      await Promise.all(Array.from({ length: count }, (_, index) => ask(index)))
      rounds.push((performance.now() - started) / count)
    }
    return Math.min(...rounds)
  }
  await timed(100)
  const few = await timed(100)
  const many = await timed(3000)
  expect(answered).toEqual(Array.from({ length: 3000 }, (_, index) => index))
  // With a wake-up of everybody for each of them it was over fifty times as much.
  expect(many).toBeLessThan(few * 10 + 0.1)
  await db.destroy()
})

test('a transaction keeps the connection to its end, and one that fails gives it back', async () => {
  const db = open()
  await sql`create table numbers (n integer)`.execute(db)
  const failing = db.transaction().execute(async (inside) => {
    await sql`insert into numbers values (1)`.execute(inside)
    throw new Error('no')
  })
  const after = sql<{ n: number }>`select n from numbers`.execute(db)
  await expect(failing).rejects.toThrow('no')
  expect((await after).rows).toEqual([])
  await db.destroy()
})
