import { lastItem } from '@qd/core/errors'
import type { Clock } from '../kernel/ports.ts'

/** Calls that one API token may make within so many ms (contract http-api 3.22). */
const limits = [
  { most: 10, withinMs: 1000 },
  { most: 120, withinMs: 60_000 },
] as const
const longestMs = Math.max(...limits.map(({ withinMs }) => withinMs))

/** Counts the calls of each key; true for one that is within the limits. What is refused does not count. */
export function createCallRate(clock: Pick<Clock, 'now'>): (key: number) => boolean {
  const calls = new Map<number, number[]>()
  return (key) => {
    const now = clock.now()
    for (const [other, times] of calls) if (now - lastItem(times) >= longestMs) calls.delete(other)
    const times = (calls.get(key) ?? []).filter((time) => now - time < longestMs)
    const isOver = limits.some(({ most, withinMs }) => times.filter((time) => now - time < withinMs).length >= most)
    if (isOver) return false
    calls.set(key, [...times, now])
    return true
  }
}
