import type { Cancel, KeyBinding } from '@qd/core/actions'
import { keyTable } from '@qd/core/actions'
import { server } from '@qd/core/resources'
import { expect, test } from 'vitest'
import { createCounts } from './counts.ts'

const table = keyTable(server, 'tui', { viewer: { id: 1, username: 'admin', role: 0, scopes: null } })
const bindingOf = (command: KeyBinding['command']) => table.find((binding) => binding.command === command)!

function set(leads = true) {
  let waiting: (() => void) | null = null
  const shown: (string | null)[] = []
  const alone: number[] = []
  const counts = createCounts({
    clock: {
      now: () => 0,
      setTimer(run): Cancel {
        waiting = run
        return () => {
          if (waiting === run) waiting = null
        }
      },
    },
    onShow: (text) => shown.push(text),
    leads: () => leads,
    onAlone: (number) => alone.push(number),
  })
  return { counts, shown, alone, pass: () => waiting?.() }
}

test('issue 18: a number before a motion repeats it, and goes to that row before G', () => {
  const { counts, shown, alone, pass } = set()
  expect([counts.take('1'), counts.take('0'), counts.take('j')]).toEqual([true, true, false])
  expect(counts.commandsOf(bindingOf('next'))).toEqual(Array(10).fill('next'))
  expect(shown).toEqual(['1', '10', null])
  counts.take('3')
  expect(counts.commandsOf(bindingOf('last'))).toEqual(['first', 'next', 'next'])
  counts.take('3')
  expect(counts.placeOf(bindingOf('last'))).toBe(3)
  expect(counts.placeOf(bindingOf('last'))).toBeNull()
  counts.take('3')
  expect(counts.placeOf(bindingOf('next'))).toBeNull()
  expect(counts.commandsOf(bindingOf('next'))).toEqual(['next', 'next', 'next'])
  counts.take('4')
  expect(counts.commandsOf(bindingOf('sort'))).toEqual(['sort'])
  expect(counts.commandsOf(bindingOf('next'))).toEqual(['next'])
  pass()
  expect(alone).toEqual([])
})

test('issue 18: a number that nothing follows is the number of a list; 0 begins none', () => {
  const { counts, alone, pass } = set()
  expect(counts.take('0')).toBe(false)
  counts.take('2')
  pass()
  expect(alone).toEqual([2])
  counts.take('3')
  counts.forget()
  pass()
  expect(alone).toEqual([2])
})

test('where a number alone leads nowhere, it waits for its motion, or until it is dropped', () => {
  const { counts, shown, alone, pass } = set(false)
  counts.take('5')
  pass()
  expect(shown).toEqual(['5'])
  expect(counts.commandsOf(bindingOf('next'))).toEqual(Array(5).fill('next'))
  counts.take('5')
  expect([counts.forget(), counts.forget()]).toEqual([true, false])
  expect(alone).toEqual([])
})
