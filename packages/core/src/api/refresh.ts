import type { Clock } from '../actions/index.ts'

/** Epoch ms of this machine’s clock. Not a secret. */
export interface Lifetime {
  refreshAt: number
  expiresAt: number
}

export interface Refresher {
  /** A session began or was prolonged; `expire` is the server’s RFC 3339 text. */
  begin(expire: string): void
  end(): void
  /** Epoch ms; null if unknown. */
  expiresAt(): number | null
  afterCall(): void
  idle(): Promise<void>
}

/** Minimum interval between refreshes: a server’s clock may be wrong, and refusals must not cause a loop. */
const leastWaitMs = 5 * 60_000

/** Prolongs a session at half of its lifetime, after a successful call. `isSignedIn` decides if the lifetime is unknown (a reloaded page). */
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
