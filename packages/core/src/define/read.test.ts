import { expect, test } from 'vitest'
import * as z from 'zod'
import { readRowsInPieces } from './read.ts'

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
