import { observe } from '@legendapp/state'
import { expect, test } from 'vitest'
import type { AnyRow } from '../define/index.ts'
import { createCollection, createRows } from './collection.ts'

test('who looks at a record hears of it when it comes, changes and goes, and not otherwise', () => {
  const rows = createRows()
  const seen: (AnyRow | undefined)[] = []
  const stop = observe(() => {
    const row = rows.row$(1).get()
    seen.push(row && { ...row })
  })
  rows.write({ id: 1, name: 'web' })
  expect([rows.write({ id: 1, name: 'web' }), rows.write({ id: 2, name: 'db' })]).toEqual([false, true])
  rows.write({ id: 1, name: 'www', cpu: 3 })
  rows.remove(1)
  rows.remove(1)
  expect(seen).toEqual([undefined, { id: 1, name: 'web' }, { id: 1, name: 'www', cpu: 3 }, undefined])
  stop()
})

test('a record that is looked at is not looked into', () => {
  const rows = createRows()
  const state = {
    get cpu() {
      throw new Error('looked into')
    },
  }
  rows.write({ id: 1, state })
  expect(Object.keys(rows.row$(1).get()!)).toEqual(['id', 'state'])
  rows.write({ id: 1, name: 'web' })
  expect(rows.row$(1).get()).toMatchObject({ name: 'web' })
})

test('who observes a record gets another object when it changed, the same one when it did not', () => {
  const rows = createRows()
  rows.write({ id: 1, name: 'web', counts: { sent: 1 } })
  const before = rows.row$(1).get()
  rows.write({ id: 1, counts: { sent: 1 } })
  expect(rows.row$(1).get()).toBe(before)
  rows.write({ id: 1, counts: { sent: 0 } })
  expect(rows.row$(1).get()).not.toBe(before)
  expect(rows.row$(1).get()).toEqual({ id: 1, name: 'web', counts: { sent: 0 } })
  rows.remove(1)
  expect(rows.row$(1).get()).toBeUndefined()
})

test('rows that come again as the same objects are looked into only if something else was written meanwhile', () => {
  const { take, patch, rows } = createCollection()
  let reads = 0
  const row = {
    id: 1,
    get name() {
      reads += 1
      return 'web'
    },
  }
  const state = { status: 'ready', bad: [], total: null, pages: null, query: {}, loadedAt: 0 } as const
  take([row], state)
  const before = reads
  take([row], state)
  expect(reads).toBe(before)
  patch(1, { name: 'db' })
  take([row], state)
  expect(rows.peek(1)).toEqual({ id: 1, name: 'web' })
})
