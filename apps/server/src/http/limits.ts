import type { Clock } from '../services.ts'

/** Failures in a row; forgotten when `calmMs` pass without another. */
interface Count {
  failures: number
  last: number
}

const calmMs = 15 * 60_000
/** Failures an address may make before it has to wait, and how long at most. */
const address = { free: 8, maxMs: calmMs }
/** Failures of one account, from wherever, before each answer about it is delayed, and by how much at most. */
const account = { free: 10, maxMs: 3000 }
/** Addresses and accounts that are counted at the same time. */
const maxCounts = 20_000

/** The brake on guessing passwords (S-02): an address that fails is refused for growing times; answers about an account under attack are slowed, never refused. */
export interface Limits {
  /** Milliseconds this address has to wait before it may try again; 0: now. */
  waitMs(address: string): number
  /** Milliseconds an answer about this account is to be held back. */
  delayMs(username: string): number
  failed(address: string, username: string): void
  succeeded(address: string, username: string): void
}

/** Counts in memory; a restart forgets. */
export function createLimits(clock: Clock): Limits {
  const counts = new Map<string, Count>()

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

  return {
    waitMs(from) {
      const { failures, last } = failuresOf(`address ${from}`)
      const over = failures - address.free
      return over < 0 ? 0 : Math.max(0, last + Math.min(1000 * 2 ** over, address.maxMs) - clock.now())
    },
    delayMs(username) {
      const over = failuresOf(`account ${username}`).failures - account.free
      return over < 0 ? 0 : Math.min(100 * 2 ** over, account.maxMs)
    },
    failed(from, username) {
      add(`address ${from}`)
      add(`account ${username}`)
    },
    succeeded(from, username) {
      counts.delete(`address ${from}`)
      counts.delete(`account ${username}`)
    },
  }
}
