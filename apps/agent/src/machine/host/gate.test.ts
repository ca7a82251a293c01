import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

const answerMs = 30
const never = () => new Promise<never>(() => undefined)
const isLate = { code: 'ENORESPONSE' }

const held = () => {
  let end = () => {}
  const call = () =>
    new Promise<string>((resolve) => {
      end = () => resolve('late answer')
    })
  return { call, end: () => end() }
}

test('issue 36.2: a call that hangs fails, its path and all below fail at once until it ends, others go on', async () => {
  const gate = createGate(2)
  const { call, end } = held()
  await expect(gate.run('/dead', answerMs, call)).rejects.toMatchObject(isLate)
  let ran = 0
  const count = async () => {
    ran += 1
  }
  for (const path of ['/dead', '/dead/sub']) await expect(gate.run(path, answerMs, count)).rejects.toMatchObject(isLate)
  expect([ran, gate.isOwed('/dead/x'), gate.isOwed('/deadly')]).toEqual([0, true, false])
  expect(await gate.run('/fine', answerMs, async () => 'fine')).toBe('fine')
  end()
  await expect.poll(() => gate.isOwed('/dead')).toBe(false)
  expect(await gate.run('/dead', answerMs, async () => 'back')).toBe('back')
})

test('issue 36.2: no more calls hang than there are places; those that wait for one fail, too', async () => {
  const gate = createGate(2)
  let running = 0
  const count = () => {
    running += 1
    return never()
  }
  const calls = ['/a', '/b', '/c', '/d'].map((path) => gate.run(path, answerMs, count))
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(running).toBe(2)
})

test('a place is handed on in order, also after an error', async () => {
  const gate = createGate(1)
  const order: string[] = []
  const run = (name: string) =>
    gate.run(`/${name}`, 60_000, async () => {
      order.push(name)
      if (name === 'b') throw new Error('no')
      return name
    })
  const results = await Promise.allSettled(['a', 'b', 'c'].map(run))
  expect([order, results.map(({ status }) => status)]).toEqual([
    ['a', 'b', 'c'],
    ['fulfilled', 'rejected', 'fulfilled'],
  ])
})
