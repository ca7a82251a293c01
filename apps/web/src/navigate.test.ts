import { expect, test } from 'vitest'
import { matchPath } from './navigate.ts'

test('a path fits its pattern with or without a slash at the end', () => {
  expect(matchPath('/dashboard', '/dashboard/')).toEqual({})
  expect(matchPath('/dashboard/run/:id', '/dashboard/run/12')).toEqual({ id: '12' })
  expect(matchPath('/dashboard/run/:id', '/dashboard/run')).toBeNull()
  expect(matchPath('/dashboard', '/dashboard/cron')).toBeNull()
})
