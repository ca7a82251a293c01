import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isTimeZone } from '@qd/core/schemas'

/** Time and timers; tests supply their own. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Calls `run` once after `ms`. Returns the function that cancels it. Never keeps the process alive. */
  after(ms: number, run: () => void): () => void
}

/** Cryptographic randomness. */
export interface Random {
  bytes(size: number): Uint8Array
}

/** An address of a host. */
export interface Resolved {
  address: string
  /** 4 or 6. */
  family: number
}

/** Finds the addresses of a host. Errors: whatever the resolver throws. */
export type Resolve = (host: string) => Promise<readonly Resolved[]>

/** The machine's clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** The machine's cryptographic randomness. */
export const systemRandom: Random = { bytes: (size) => randomBytes(size) }

/** The machine's time zone; UTC where its name is unknown to Intl. */
export const systemTimeZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

/** The machine's own resolver. */
export const systemResolve: Resolve = (host) => lookup(host, { all: true })

/** Used if the system does not say how many files and connections it allows. */
const usualDescriptors = 4096

/** How many files and connections the system lets this process have open. Node itself has raised it as far as it may. */
export function systemDescriptors(): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(most ?? usualDescriptors)
  } catch {
    return usualDescriptors
  }
}
