import { expect, test } from 'vitest'
import * as z from 'zod'
import { shapeFaults } from './schema.ts'

const schema = z.object({ id: z.int(), host: z.object({ cpu: z.array(z.string()) }), kind: z.enum(['a', 'b']) })

test.each([
  [null, 'expected object'],
  [{ host: { cpu: [1] }, kind: 'a' }, 'id: expected number, host.cpu.0: expected string'],
  [{ id: 1.5, host: { cpu: [] }, kind: 'c' }, 'id: expected int, kind: expected one of "a"|"b"'],
])('issue 36.22 what %j lacks is said by place, without the words of a program', (value, faults) => {
  expect(shapeFaults(schema.safeParse(value).error!)).toBe(faults)
})
