import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const words = ['server', 'service', 'server-group', 'session', 'exec', 'login', 'logout', 'move', 'ls']
const flags = ['--ids', '--json', '--jsonl', '--select', '--notification-group-id', '-y']

test.each([
  ['lgin', ['login']],
  ['sessions', ['session']],
  ['sevrer', ['server']],
  ['serv', ['server', 'service', 'server-group']],
  ['sessoin', ['session']],
  ['lst', ['ls']],
  // Issue 10: like none of them.
  ['logs', []],
  ['exit', []],
  ['remove', []],
  ['rm', []],
  ['', []],
])('a word like %s: %j', (typed, near) => {
  expect(nearest(typed, words)).toEqual(near)
})

test.each([
  ['--jsn', ['--json']],
  ['--notification-gruop-id', ['--notification-group-id']],
  ['--selct', ['--select']],
  ['--yes', []],
  ['--x', []],
])('a flag like %s: %j', (typed, near) => {
  expect(nearest(typed, flags)).toEqual(near)
})

test('a name with another number is another one', () => {
  const names = ['web-1', 'web-2', 'db-10']
  expect(nearest('web1', names)).toEqual(['web-1'])
  expect(nearest('web-01', names)).toEqual(['web-1'])
  expect(nearest('web-9', names)).toEqual([])
})
