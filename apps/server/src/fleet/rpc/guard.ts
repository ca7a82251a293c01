import { status } from '@grpc/grpc-js'
import type { Base } from '../../base.ts'
import { texts } from '../../kernel/texts.ts'
import { authenticate, CallError, type Credentials } from './authenticate.ts'
import type { Identify } from './credentials-first.ts'

/** The firewall's numbers for agents (contract engines 8.1). */
const agents = { identifier: -127, reason: 3 }

/**
 * Authenticates agents behind the firewall (S-38). A blocked address is refused before it is looked at (agent contract
 * 1.8); on addresses that many share (its own, a proxy's) a right secret still counts, so that its own agent is never shut out.
 * `onFailure` is told of each failure that is counted.
 */
export function createGuard(
  base: Pick<Base, 'accounts' | 'servers' | 'log' | 'firewall'>,
  credentials: Credentials,
  onFailure: (address: string) => void,
): Identify {
  const { firewall } = base
  return async (metadata, peer) => {
    const isBlocked = firewall.blocks(peer) !== null
    const blocked = new CallError(status.UNKNOWN, texts.blocked)
    if (isBlocked && !firewall.isShared(peer)) throw blocked
    const failed = () => {
      if (isBlocked) throw blocked
      firewall.failed(peer, agents.identifier, agents.reason)
      onFailure(peer)
    }
    const server = await authenticate(base, credentials, metadata, failed)
    firewall.succeeded(peer, agents.identifier)
    return server
  }
}

/** One line per address and this time, however often it tries (behaviour S-39). */
const quietMs = 60_000
const maxAddresses = 1000

/** Logs agents that were refused, without a flood. */
export function createRefusalLog({ clock, log }: Pick<Base, 'clock' | 'log'>): (address: string) => void {
  const told = new Map<string, number>()
  return (address) => {
    const now = clock.now()
    const last = told.get(address)
    if (last !== undefined && Math.abs(now - last) < quietMs) return
    told.delete(address)
    told.set(address, now)
    const [oldest] = told.keys()
    if (told.size > maxAddresses && oldest !== undefined) told.delete(oldest)
    log.warn({ address }, 'agent refused: wrong secret or UUID, or the UUID belongs to another user')
  }
}
