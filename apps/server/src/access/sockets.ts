import type { Caller } from '../kernel/caller.ts'

/** Open sockets, so that signing out, a new password or a block ends them. */
export type Sockets = ReturnType<typeof createSockets>

export const serverStops = 'the server stops'

export const maxOfUser = 64

export function createSockets() {
  const open = new Set<{ caller: Caller; close(reason: string): void }>()

  function end(which: (caller: Caller) => boolean, reason: string) {
    for (const entry of [...open]) {
      if (!which(entry.caller)) continue
      open.delete(entry)
      entry.close(reason)
    }
  }

  function makeRoom({ viewer: { id } }: Caller) {
    // Guests, and visitors of NAT profiles (0), aren't one person.
    if (!id) return
    const own = [...open].filter(({ caller }) => caller.viewer.id === id)
    const oldest = own.length < maxOfUser ? undefined : own[0]
    if (!oldest) return
    open.delete(oldest)
    oldest.close('too many open sockets')
  }

  return {
    /** Adds a socket; beyond `maxOfUser` the user's oldest ends. Returns what to call when it closes by itself. */
    add(caller: Caller, close: (reason: string) => void): () => void {
      makeRoom(caller)
      const entry = { caller, close }
      open.add(entry)
      return () => open.delete(entry)
    },
    renewed(session: string, next: string): void {
      for (const entry of open) if (entry.caller.session === session) entry.caller = { ...entry.caller, session: next }
    },
    endSession: (session: string, reason: string): void => end((caller) => caller.session === session, reason),
    endToken: (id: number, reason: string): void => end((caller) => caller.token?.id === id, reason),
    endUser: (userId: number, reason: string, keep?: string | null): void =>
      end((caller) => caller.viewer.id === userId && (keep == null || caller.session !== keep), reason),
    endAddresses: (covers: (address: string) => boolean, reason: string): void =>
      end(({ address }) => covers(address), reason),
    endAll: (reason: string): void => end(() => true, reason),
  }
}
