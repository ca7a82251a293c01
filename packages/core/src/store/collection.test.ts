import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { readRows } from '../define/index.ts'
import { server } from '../resources/index.ts'
import { createRows } from './collection.ts'

/** True where V8 keeps both objects by the same hidden class. */
function isAlike(a: object, b: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  return new Function('a', 'b', 'return %HaveSameMap(a, b)')(a, b) as boolean
}

test('V8 keeps records of one kind alike, those that are looked at too: a field of all is read at once', () => {
  const rows = createRows()
  const ids = Array.from({ length: 200 }, (_, index) => index + 1)
  const data = ids.map((id) => ({ id, name: `web-${id}`, host: { mem_total: id }, state: { cpu: id / 2 } }))
  for (const row of readRows(server, data).rows) rows.write(row)
  for (const id of ids.slice(0, 50)) rows.row$(id).get()
  for (const id of ids) rows.write({ id, last_active: `2026-11-20T13:32:${id % 60}Z` })
  const kinds: object[] = []
  for (const id of ids) {
    const row = rows.peek(id)!
    if (!kinds.some((one) => isAlike(one, row))) kinds.push(row)
  }
  expect(kinds.length).toBeLessThan(5)
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
