import { afterEach, expect, test, vi } from 'vitest'
import { holdYoungMemory } from './young-memory.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('memory for what lives shortly may grow to 8 MB and no further, and again after it shrank', () => {
  vi.useFakeTimers()
  const flags: string[] = []
  let megabytes = 2
  holdYoungMemory({
    setFlagsFromString: (text) => flags.push(text),
    getHeapSpaceStatistics: () => [
      { space_name: 'old_space', space_size: 2 ** 30 },
      { space_name: 'new_space', space_size: megabytes * 2 ** 20 },
    ],
  })
  for (const next of [4, 8, 2]) {
    megabytes = next
    vi.advanceTimersByTime(1000)
  }
  const factor = (by: number) => `--semi-space-growth-factor=${by}`
  expect(flags).toEqual([factor(2), factor(2), factor(1), factor(2)])
})
