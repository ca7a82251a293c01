import { expect, test } from 'vitest'
import { keepPath, pastPaths } from './past-paths.ts'

test('paths are kept by server, the last one first and once', () => {
  const stored = new Map<string, unknown>()
  const remembered = {
    read: (_key: 'main' | 'notification' | 'server', part: string) => stored.get(part),
    write: (_key: 'main' | 'notification' | 'server', part: string, value: unknown) => void stored.set(part, value),
  }
  for (const path of ['/a', '/b', '/a']) keepPath(remembered, 7, path)
  keepPath(remembered, 8, '/other')
  expect(pastPaths(remembered, 7)).toEqual(['/a', '/b'])
  for (let index = 0; index < 30; index++) keepPath(remembered, 7, `/n${index}`)
  expect(pastPaths(remembered, 7)).toHaveLength(20)
  stored.set('paths:9', 'nonsense')
  expect(pastPaths(remembered, 9)).toEqual([])
})
