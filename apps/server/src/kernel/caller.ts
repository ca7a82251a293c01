import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'

/** `expire`: RFC 3339; `lasts`: seconds. */
export interface Ticket {
  token: string
  expire: string
  lasts: number
  session: string
}

/** `session` is null for guests and API tokens. */
export interface Caller {
  viewer: Viewer
  session: string | null
  /** A renewed token, returned with the response. */
  renewed?: Ticket
  token?: { id: number; name: string }
  host?: string
  /** The address if another proxy header were configured. */
  addressWith?(webHeader: string): string
  /** The peer's, or that from a trusted proxy (`--trust-proxy`). */
  address: string
}

/** Limits concurrent work per user. Errors: `tooMany`. */
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
