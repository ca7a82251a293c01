import { expect, test } from 'vitest'
import { createFrameReader } from './live-frames.ts'

test('the state of a server is one object through all its samples; what comes without a new time is another one', () => {
  const read = createFrameReader(new Map())
  const state = (frame: object) => read({ now: 1, ...frame })!.servers[0]!.fields.state
  read({ now: 1, reset: true, servers: [{ id: 7, state: {}, figures: [1000, 405] }] })
  const first = state({ samples: [[7, 1000, 5]] })
  expect(first).toMatchObject({ cpu: 41, mem_used: 0 })
  expect(state({ samples: [[7, 1000, 10]] })).toBe(first)
  expect(first).toMatchObject({ cpu: 42 })
  const untimed = state({ samples: [[7, 0, 10]] })
  expect(untimed).not.toBe(first)
  expect([first, untimed]).toMatchObject([{ cpu: 42 }, { cpu: 43 }])
  expect(state({ sensors: [{ id: 7, gpu: [12] }] })).toMatchObject({ cpu: 43, gpu: [12] })
})
