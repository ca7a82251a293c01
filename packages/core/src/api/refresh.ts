import type { Clock } from '../actions/index.ts'

/** When a sign-in is to be prolonged and when it ends, in epoch ms of this machine's clock. Not a secret. */
export interface Lifetime {
  refreshAt: number
  expiresAt: number
}

/** Keeps a sign-in alive. */
export interface Refresher {
  /** A sign-in began or was prolonged; `expire` is the server's RFC 3339 text. */
  begin(expire: string): void
  /** There is no sign-in any more. */
  end(): void
  /** When the sign-in ends, in epoch ms; null where that is not known. */
  expiresAt(): number | null
  /** To be told after each call that went well. */
  afterCall(): void
  /** Resolves when no refresh is under way. */
  idle(): Promise<void>
}

/** A server's clock may be wrong, and a refusal is not to be repeated in a loop: never prolong more often than this. */
const leastWaitMs = 5 * 60_000

/**
 * Prolongs a sign-in at half of its life, after a call that went well, at most one at a time; a failure waits for its next turn.
 * `refresh` returns the new `expire`; `isSignedIn` is asked where the lifetime is not known (a page that was loaded again).
 */
export function createRefresher(options: {
  clock: Pick<Clock, 'now'>
  lifetime: Lifetime | null
  isSignedIn(): boolean
  refresh(): Promise<string>
  onLifetime(lifetime: Lifetime | null): void
}): Refresher {
  const { clock, isSignedIn, refresh, onLifetime } = options
  let { lifetime } = options
  let running: Promise<void> | null = null
  let notBefore = 0

  const change = (next: Lifetime | null) => {
    lifetime = next
    onLifetime(next)
  }
  const begin = (expire: string) => {
    const now = clock.now()
    const expiresAt = Date.parse(expire) || now + leastWaitMs
    change({ refreshAt: now + Math.max(leastWaitMs, (expiresAt - now) / 2), expiresAt })
  }
  return {
    begin,
    end() {
      if (lifetime) change(null)
    },
    expiresAt: () => lifetime?.expiresAt ?? null,
    afterCall() {
      const now = clock.now()
      const isDue = lifetime ? now >= lifetime.refreshAt : isSignedIn()
      if (running || !isDue || now < notBefore) return
      notBefore = now + leastWaitMs
      running = refresh()
        .then(begin, () => undefined)
        .finally(() => {
          running = null
        })
    },
    idle: () => running ?? Promise.resolve(),
  }
}
