import type { Remembered } from './remembered.ts'

/** Up to so many servers are all read without a question. */
const fewServers = 20

/** The servers whose hosts a list reads. */
export interface HostTarget {
  /** The query over servers; empty: all. */
  readonly on: string
  /** Nothing is read yet: there are many servers, and none were chosen before. */
  readonly isOpen: boolean
}

/** What was asked for, else all servers if there are few, else what was used last, else it is to be chosen. */
export function hostTarget(asked: string | null, servers: number, remembered: Pick<Remembered, 'read'>): HostTarget {
  if (asked !== null) return { on: asked, isOpen: false }
  if (servers <= fewServers) return { on: '', isOpen: false }
  const last = remembered.read('main', 'on')
  return typeof last === 'string' ? { on: last, isOpen: false } : { on: '', isOpen: true }
}

/** Keeps a chosen target for the next list. */
export function rememberHostTarget(on: string, remembered: Pick<Remembered, 'write'>): void {
  remembered.write('main', 'on', on)
}
