import type { AppError } from '@qd/core/errors'
import type { Logger } from 'pino'
import type { Caller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/ports.ts'
import { badToken, type MutableApiTokens } from '../store/records/api-tokens.ts'
import type { Accounts, ApiTokenRow } from '../store/records/rows.ts'
import type { Firewall } from './firewall.ts'

/** Firewall numbers of guessed tokens (contract engines 8.1). */
const guessing = { identifier: -126, reason: 2 }

export type TokenGate = ReturnType<typeof createTokenGate>

export function createTokenGate(parts: {
  tokens: MutableApiTokens
  accounts: Accounts
  firewall: Firewall
  clock: Clock
  log: Logger
}) {
  const { tokens, accounts, firewall, clock, log } = parts
  const isOver = ({ expires_at }: ApiTokenRow) => expires_at !== null && expires_at <= clock.now()
  return {
    ownerOf(text: string): number | null {
      const token = tokens.byText(text)
      return token && !isOver(token) ? token.owner_id : null
    },
    /** Errors: `badToken`, which counts against the address. */
    async identify(text: string, address: string): Promise<Caller> {
      const refuse = (why: string): AppError => {
        firewall.failed(address, guessing.identifier, guessing.reason)
        return badToken(why)
      }
      const token = tokens.byText(text)
      if (!token) throw refuse('invalid api token')
      if (isOver(token)) throw refuse('api token expired')
      const user = accounts.find(token.owner_id)
      if (!user) throw refuse('owner of api token not found')
      firewall.succeeded(address, guessing.identifier)
      // A full disk must not block reading scripts.
      await tokens
        .used(token.id, address)
        .catch((error: unknown) => log.error({ err: error }, 'failed to record the use of an API token'))
      const { id, username, role } = user
      const limits = token.server_ids.length > 0 ? { servers: token.server_ids } : {}
      return {
        viewer: { id, username, role, scopes: token.scopes, ...limits },
        session: null,
        token: { id: token.id, name: token.name },
        address,
      }
    },
  }
}

export interface Called {
  method: string
  path: string
}

const guestPaths = /^\/api\/v1\/(login|oauth2\/[^/]+)$/

export function ignoresTokens({ path, method }: Called): boolean {
  return guestPaths.test(path) || (path === '/api/v1/setting' && method === 'GET')
}
