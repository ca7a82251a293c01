import { expect, test } from 'vitest'
import * as z from 'zod'
import type { Field } from './fields.ts'
import { readRowsInPieces, readSchema } from './read.ts'

const resource = {
  read: z.object({ id: z.number() }),
  wire: { decode: (item: unknown) => item },
}
const answer = (count: number) => Array.from({ length: count }, (_, id) => (id === 600 ? { id: 'bad' } : { id }))

test('issue 17: a long list is read in pieces, and something else has its turn before, between and after them', async () => {
  let turns = 0
  const { rows, bad } = await readRowsInPieces(resource, answer(1000), async () => {
    turns += 1
  })
  expect(turns).toBeGreaterThanOrEqual(5)
  expect(rows.map(({ id }) => id)).toEqual(answer(1000).flatMap(({ id }) => (typeof id === 'number' ? [id] : [])))
  expect(bad).toMatchObject([{ index: 600 }])
})

test('issue 17: a short list waits for nothing, nor does a program without a screen', async () => {
  const never = () => Promise.reject(new Error('waited'))
  expect((await readRowsInPieces(resource, answer(200), never)).rows).toHaveLength(200)
  expect((await readRowsInPieces(resource, answer(1000), undefined)).rows).toHaveLength(999)
  expect((await readRowsInPieces(resource, null, never)).rows).toEqual([])
})

const zeros = {
  text: '',
  secret: '',
  number: 0,
  percent: 0,
  flag: false,
  choice: 0,
  ref: 0,
  refs: [],
  list: [],
  trend: [],
  days: [],
  instant: null,
} as const

test.each(Object.entries(zeros))('a %s of a wrong type, or none, is that kind of nothing', (kind, zero) => {
  const schema = readSchema({ it: { kind } as Field })
  const read = (it: unknown) => (schema.parse({ it }) as { it: unknown }).it
  for (const wrong of [undefined, {}, [{}], [null], ['a', 1], Number.NaN, Number.POSITIVE_INFINITY, () => 1])
    expect(read(wrong)).toEqual(zero)
  expect(schema.parse({})).toEqual({ it: zero })
  expect(read(null)).toEqual(kind === 'number' || kind === 'percent' ? null : zero)
})

test('a value of the right type stays as it is; the never of the wire is none', () => {
  const value: Record<keyof typeof zeros, unknown> = {
    ...{ text: 'a', secret: 's', number: -1.5, percent: 3, flag: true, choice: 'x', ref: 7, refs: [1, 2], list: ['a'] },
    ...{ trend: [0.5], days: [-1], instant: '2026-01-01T00:00:00Z' },
  }
  const schema = readSchema(Object.fromEntries(Object.keys(value).map((kind) => [kind, { kind } as Field])))
  expect(schema.parse(value)).toEqual(value)
  expect(schema.parse({ ...value, instant: '0001-01-01T00:00:00Z', ref: -1, refs: [1.5] })).toMatchObject({
    instant: null,
    ref: 0,
    refs: [],
  })
})
