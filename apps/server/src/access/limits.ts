import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '@qd/core/errors'
import { backoffMs } from '@qd/protocol/backoff'
import type { Clock } from '../kernel/ports.ts'

const limits = [
  { most: 10, withinMs: 1000 },
  { most: 120, withinMs: 60_000 },
] as const
const longestMs = Math.max(...limits.map(({ withinMs }) => withinMs))

export function createCallRate(clock: Pick<Clock, 'now'>): (key: number) => boolean {
  const calls = new Map<number, number[]>()
  return (key) => {
    const now = clock.now()
    for (const [other, times] of calls) if (times.every((time) => now - time >= longestMs)) calls.delete(other)
    const times = (calls.get(key) ?? []).filter((time) => now - time < longestMs)
    const isOver = limits.some(({ most, withinMs }) => times.filter((time) => now - time < withinMs).length >= most)
    if (isOver) return false
    calls.set(key, [...times, now])
    return true
  }
}

interface Count {
  failures: number
  last: number
}

const calmMs = 15 * 60_000
const address = { free: 8, firstMs: 1000, maxMs: calmMs }
const maxPending = 8
const account = { free: 10, firstMs: 100, maxMs: 3000 }
const maxCounts = 20_000

export type Limits = ReturnType<typeof createLimits>

export function createLimits(clock: Clock) {
  const counts = new Map<string, Count>()
  const pending = new Map<string, number>()

  function failuresOf(key: string): Count {
    const count = counts.get(key)
    if (!count || clock.now() - count.last > calmMs) return { failures: 0, last: 0 }
    return count
  }

  function add(key: string): void {
    const { failures } = failuresOf(key)
    counts.delete(key)
    counts.set(key, { failures: failures + 1, last: clock.now() })
    if (counts.size > maxCounts) counts.delete(counts.keys().next().value as string)
  }

  function waitMs(from: string): number {
    const { failures, last } = failuresOf(`address ${from}`)
    const over = failures - address.free
    return over < 0 ? 0 : Math.max(0, last + backoffMs(address, over) - clock.now())
  }

  function delayMs(username: string): number {
    const over = failuresOf(`account ${username}`).failures - account.free
    return over < 0 ? 0 : backoffMs(account, over)
  }

  return {
    /** Admits a try, delayed if the account is under attack. Call the result when the try has ended. Errors: `tooMany` with the seconds to wait. */
    async enter(from: string, username: string): Promise<() => void> {
      const tries = pending.get(from) ?? 0
      const wait = tries < maxPending ? waitMs(from) : 1000
      if (wait > 0) throw new AppError('tooMany', { seconds: Math.ceil(wait / 1000) })
      pending.set(from, tries + 1)
      const delay = delayMs(username)
      if (delay > 0) await pause(delay)
      return () => {
        const left = (pending.get(from) ?? 1) - 1
        if (left > 0) pending.set(from, left)
        else pending.delete(from)
      }
    },
    failed(from: string, username: string): void {
      add(`address ${from}`)
      add(`account ${username}`)
    },
    succeeded(from: string, username: string): void {
      counts.delete(`address ${from}`)
      counts.delete(`account ${username}`)
    },
  }
}
