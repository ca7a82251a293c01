import { expect, it } from 'vitest'
import * as z from 'zod'
import { lazy } from './schema.ts'

it('makes a value once, when it is first asked for', () => {
  let made = 0
  const name = lazy(() => {
    made += 1
    return z.string().min(2)
  })
  const record = lazy(() => z.strictObject({ name: name(), nick: name().optional() }))
  expect(made).toBe(0)
  expect(record().parse({ name: 'ab' })).toEqual({ name: 'ab' })
  expect(record()).toBe(record())
  expect(made).toBe(1)
})
