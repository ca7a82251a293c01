import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isTimeZone } from '@qd/core/schemas'

export interface Clock {
  now(): number
  after(ms: number, run: () => void): () => void
}

export interface Random {
  bytes(size: number): Uint8Array
}

export interface Resolved {
  address: string
  family: number
}

export type Resolve = (host: string) => Promise<readonly Resolved[]>

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

export const systemRandom: Random = { bytes: (size) => randomBytes(size) }

/** UTC if Intl doesn't know the zone. */
export const systemTimeZone = (): string => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

export const systemResolve: Resolve = (host) => lookup(host, { all: true })

const usualDescriptors = 4096

/** File descriptor limit. Node has already raised it to the maximum. */
export function systemDescriptors(): number {
  try {
    const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(most ?? usualDescriptors)
  } catch {
    return usualDescriptors
  }
}
