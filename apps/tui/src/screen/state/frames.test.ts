import { expect, test } from 'vitest'
import { createFrames } from './frames.ts'

test('a frame that waits for keys comes when they are applied, and others follow', () => {
  const timers: (() => void)[] = []
  let keysWait = true
  let now = 0
  const setTimer = (run: () => void) => {
    timers.push(run)
    return () => undefined
  }
  const frames = createFrames({ now: () => now, setTimer }, { spinning: () => false, keysWait: () => keysWait })
  let drawn = 0
  frames.onFrame(() => {
    drawn += 1
  })
  const pass = () => {
    now += 1000
    for (const run of timers.splice(0)) run()
  }
  frames.request()
  frames.request()
  pass()
  expect(drawn).toBe(0)
  keysWait = false
  frames.flush()
  frames.flush()
  expect(drawn).toBe(1)
  frames.request()
  pass()
  expect(drawn).toBe(2)
})
