import { expect, it } from 'vitest'
import * as z from 'zod'
import { later } from './later.ts'

it('is made once, when something of it is first asked for', () => {
  let made = 0
  const name = later(() => {
    made += 1
    return z.string().min(2)
  })
  const record = later(() => z.strictObject({ name, nick: name.optional() }))
  expect(made).toBe(0)
  expect(record.parse({ name: 'ab' })).toEqual({ name: 'ab' })
  expect(record.safeParse({ name: 'a' }).success).toBe(false)
  expect(record.partial().parse({})).toEqual({})
  expect(made).toBe(1)
})

it('can be spread, looked through and asked what it is', () => {
  const shape = later(() => ({ id: z.int(), name: z.string() }))
  expect(Object.keys({ ...shape })).toEqual(['id', 'name'])
  expect('name' in shape && !('other' in shape)).toBe(true)
  expect(later(() => z.object(shape)) instanceof z.ZodObject).toBe(true)
})

it('tells whoever asks again why it cannot be made', () => {
  const broken = later((): z.ZodString => {
    throw new Error('broken')
  })
  expect(() => broken.parse('')).toThrow('broken')
  expect(() => broken.parse('')).toThrow('broken')
})
