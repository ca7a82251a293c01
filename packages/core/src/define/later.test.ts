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

it('has the same JSON schema as if it had been made at once, whatever it is made of', () => {
  const shape = (wrap: <T extends object>(make: () => T) => T) => {
    const text = wrap(() => z.string().max(9))
    const parts = {
      nullable: wrap(() => text.nullable()),
      optional: wrap(() => text.optional()),
      fallback: wrap(() => text.default('a')),
      caught: wrap(() => text.catch('b')),
      readonly: wrap(() => z.array(text).readonly()),
      trimmed: wrap(() => z.array(z.int()).transform((list) => list.length)),
      record: wrap(() => z.record(z.string(), text)),
      either: wrap(() => z.union([text, z.int()])),
    }
    return wrap(() => z.strictObject({ ...parts, again: wrap(() => z.object({ text, ...parts })) }).partial())
  }
  const eager = <T extends object>(make: () => T) => make()
  const written = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  expect(written(shape(later))).toEqual(written(shape(eager)))
})
