import { expect, test } from 'vitest'
import { type BudgetBounds, createFairBudget } from './fair-budget.ts'

/** A budget whose turns come when the test says so. */
function world(bounds: Partial<BudgetBounds> = {}) {
  const turns: (() => void)[] = []
  const granted: string[] = []
  const giveBack = new Map<string, () => void>()
  const budget = createFairBudget({
    each: () => 2,
    all: 4,
    waiting: { each: 3, all: 5 },
    perTurn: 100,
    soon: (run) => turns.push(run),
    ...bounds,
  })
  return {
    granted,
    take: (who: string, name: string, amount = 1) =>
      budget.take(who, amount, (back) => {
        granted.push(name)
        giveBack.set(name, back)
      }),
    giveBack: (name: string) => giveBack.get(name)!(),
    turn() {
      for (const run of turns.splice(0)) run()
    },
  }
}

test('one gets its share and no more, and others are not kept waiting by it', () => {
  const { take, granted, giveBack, turn } = world()
  for (const name of ['a1', 'a2', 'a3']) take('a', name)
  take('b', 'b1')
  expect(granted).toEqual(['a1', 'a2', 'b1'])
  giveBack('a1')
  giveBack('a1')
  turn()
  expect(granted).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('who waits is served in rounds, one of each', () => {
  const { take, granted, giveBack, turn } = world({ all: 1, each: () => 1 })
  take('x', 'x')
  for (const name of ['a1', 'a2']) take('a', name)
  take('b', 'b1')
  for (const name of ['x', 'a1', 'b1']) {
    giveBack(name)
    turn()
  }
  expect(granted).toEqual(['x', 'a1', 'b1', 'a2'])
})

test('a crowd is let in a few per turn, also where there is room for all', () => {
  const { take, granted, turn } = world({ perTurn: 2, each: () => 100, all: 100, waiting: { each: 100, all: 100 } })
  for (const name of ['1', '2', '3', '4', '5']) take('a', name)
  expect(granted).toEqual(['1', '2'])
  // The rest of one caller comes one per turn and round.
  for (let index = 0; index < 4; index += 1) turn()
  expect(granted).toEqual(['1', '2', '3', '4', '5'])
})

test('too many that wait are refused, and who goes leaves its place', () => {
  const { take, granted, giveBack, turn } = world()
  take('a', 'a1', 2)
  const leave = take('a', 'a2')
  take('a', 'a3')
  take('a', 'a4')
  expect(take('a', 'a5')).toBeNull()
  leave!()
  expect(take('a', 'a6')).not.toBeNull()
  giveBack('a1')
  for (let index = 0; index < 4; index += 1) turn()
  expect(granted).toEqual(['a1', 'a3', 'a4'])
})
