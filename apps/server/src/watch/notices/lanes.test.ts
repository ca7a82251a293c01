import { expect, test } from 'vitest'
import { createLanes } from './lanes.ts'

function createWork() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    of: (name: string) => () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    },
    async end(name: string) {
      ends.get(name)!()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('one lane keeps its order, a slow one holds no other', async () => {
  const lanes = createLanes({ waiting: 5, size: 100, atOnce: 5 })
  const work = createWork()
  for (const name of ['a1', 'a2']) lanes.add(1, 1, work.of(name))
  for (const name of ['b1', 'b2']) lanes.add(2, 1, work.of(name))
  expect(work.started).toEqual(['a1', 'b1'])
  await work.end('b1')
  await work.end('b2')
  expect(work.started).toEqual(['a1', 'b1', 'b2'])
  let isIdle = false
  const idle = lanes.idle().then(() => {
    isIdle = true
  })
  await work.end('a1')
  expect(isIdle).toBe(false)
  await work.end('a2')
  await idle
  await lanes.idle()
})

test('a full lane, and too much in all, are refused until there is room', async () => {
  const lanes = createLanes({ waiting: 2, size: 10, atOnce: 5 })
  const work = createWork()
  const add = (lane: number, size: number) => lanes.add(lane, size, work.of(`${lane}`))
  expect([add(1, 1), add(1, 1), add(1, 1), add(1, 1)]).toEqual([true, true, true, false])
  expect([add(2, 8), add(2, 7)]).toEqual([false, true])
  await work.end('2')
  expect(add(3, 7)).toBe(true)
})

test('only so many go at the same time, in turn', async () => {
  const lanes = createLanes({ waiting: 5, size: 100, atOnce: 2 })
  const work = createWork()
  for (const lane of [1, 2, 3]) for (const turn of ['x', 'y']) lanes.add(lane, 1, work.of(`${lane}${turn}`))
  expect(work.started).toEqual(['1x', '2x'])
  await work.end('1x')
  expect(work.started).toEqual(['1x', '2x', '3x'])
  await work.end('3x')
  expect(work.started).toEqual(['1x', '2x', '3x', '1y'])
})
