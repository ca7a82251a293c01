import { expect, test } from 'vitest'
import type { Engine } from '../kernel/engine.ts'
import { createHealth } from './health.ts'

const engine = (name: string, start: () => Promise<void>, problem: string | null = null): Engine => ({
  name,
  start,
  problem: () => problem,
  stop: async () => undefined,
})

const clock = { now: () => 0, after: () => () => {} }
const database = (ask: () => Promise<string | null>) => ({ ask, isHeld: () => true })

test('not healthy until every engine has started, one after the other', async () => {
  const started: string[] = []
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const health = createHealth(
    [
      engine('slow', async () => {
        await held
        started.push('slow')
      }),
      engine('next', async () => void started.push('next')),
    ],
    database(async () => null),
    clock,
  )
  const starting = health.start()
  expect(await health.problems()).toEqual(['the server is starting'])
  letGo()
  await starting
  expect(started).toEqual(['slow', 'next'])
  expect(await health.problems()).toEqual([])
})

test('an engine that does not start leaves it so, and every problem is told', async () => {
  const health = createHealth(
    [engine('broken', () => Promise.reject(new Error('no')), 'it is broken')],
    database(async () => 'no database'),
    clock,
  )
  await expect(health.start()).rejects.toThrow('no')
  expect(await health.problems()).toEqual(['the server is starting', 'no database', 'it is broken'])
})

test('S-54 the database is asked once a second at most, however often and however many ask', async () => {
  let now = 0
  let asked = 0
  const health = createHealth(
    [],
    database(async () => (asked++ === 0 ? 'gone' : null)),
    { ...clock, now: () => now },
  )
  await health.start()
  const first = await Promise.all(Array.from({ length: 1000 }, () => health.problems()))
  expect(first.every(([problem]) => problem === 'gone')).toBe(true)
  now = 999
  expect(await health.problems()).toEqual(['gone'])
  expect(asked).toBe(1)
  now = 1000
  expect(await health.problems()).toEqual([])
  expect(asked).toBe(2)
})

test('a database that stays silent is a problem after 1 s, and only its holder is ready', async () => {
  let isHeld = true
  let run = () => {}
  const after = (ms: number, late: () => void) => {
    expect(ms).toBe(1000)
    run = late
    return () => {}
  }
  const health = createHealth([], { ask: () => new Promise(() => {}), isHeld: () => isHeld }, { ...clock, after })
  expect(health.isReady()).toBe(false)
  await health.start()
  const problems = health.problems()
  run()
  expect(await problems).toEqual(['the database is not responding'])
  expect(health.isReady()).toBe(true)
  isHeld = false
  expect(health.isReady()).toBe(false)
})

test('a database that stays silent is not asked again before it has answered', async () => {
  let now = 0
  let asked = 0
  let answer = (_problem: string | null) => {}
  const ask = () =>
    new Promise<string | null>((resolve) => {
      asked += 1
      answer = resolve
    })
  const after = (_ms: number, late: () => void) => {
    queueMicrotask(late)
    return () => {}
  }
  const health = createHealth([], database(ask), { now: () => now, after })
  await health.start()
  for (; now < 5000; now += 1000) expect(await health.problems()).toEqual(['the database is not responding'])
  expect(asked).toBe(1)
  answer(null)
  await health.problems()
  now += 1000
  await health.problems()
  expect(asked).toBe(2)
})
