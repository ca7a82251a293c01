import { expect, test } from 'vitest'
import type { Caller } from '../kernel/caller.ts'
import { createSockets, maxOfUser } from './sockets.ts'

const callerOf = (id: number | null): Caller => ({
  viewer: { id, username: '', role: 1, scopes: null },
  session: null,
  address: '',
})

test('issue 37: a user has so many sockets; one more ends the oldest of their own', () => {
  const sockets = createSockets()
  const ended: string[] = []
  const add = (name: string, id: number | null) =>
    sockets.add(callerOf(id), (reason) => ended.push(`${name}: ${reason}`))
  const closeFirst = add('first', 1)
  add('other user', 2)
  for (let n = 1; n < maxOfUser; n += 1) add(`${n}`, 1)
  for (let n = 0; n < 2 * maxOfUser; n += 1) {
    add(`guest ${n}`, null)
    add(`visitor ${n}`, 0)
  }
  expect(ended).toEqual([])
  add('more', 1)
  expect(ended).toEqual(['first: too many open sockets'])
  closeFirst()
  add('again', 1)
  expect(ended).toEqual(['first: too many open sockets', '1: too many open sockets'])
})
