import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'

/** A token as handed out; `expire` is RFC 3339. */
export interface Ticket {
  token: string
  expire: string
  /** For so many seconds. */
  lasts: number
  session: string
}

/** Who calls, and by what. `session` is null for a guest and for an API token. */
export interface Caller {
  viewer: Viewer
  session: string | null
  /** A new token of the session, which the answer to this call hands out; the former one is good no longer. */
  renewed?: Ticket
  /** The API token that spoke for the viewer. */
  token?: { id: number; name: string }
  host?: string
  /** What `address` would be if the settings named another header of proxies. Absent where the call came another way. */
  addressWith?(webHeader: string): string
  /** The client's address: the peer's, or what a trusted proxy says (`--trust-proxy`). */
  address: string
}

/** Runs so many works of one person at the same time. Errors: `tooMany`. */
export function createPersonLimit(max: number) {
  const running = new Map<unknown, number>()
  return async <T>({ viewer: { id } }: Caller, work: () => Promise<T>): Promise<T> => {
    const count = running.get(id) ?? 0
    if (count >= max) throw new AppError('tooMany', { seconds: 1 })
    running.set(id, count + 1)
    try {
      return await work()
    } finally {
      running.set(id, (running.get(id) ?? 1) - 1)
    }
  }
}
