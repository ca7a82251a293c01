import { AppError } from '../errors.ts'

/** `id` null: a guest. A missing role counts as admin for display (spec section 3); the server decides what is allowed. */
export interface Viewer {
  id: number | null
  username: string
  role: number
  /** Scopes of an API token; null for a session, which has no limits. */
  scopes: readonly string[] | null
  /** The only servers that an API token may use; absent without a limit. */
  servers?: readonly number[]
}

/** The scopes of the contract (http-api 2.6). */
export const scopeRights = {
  inventory: ['read', 'delete'],
  server: ['read', 'write', 'delete', 'exec'],
  service: ['read', 'write', 'delete'],
  alertrule: ['read', 'write', 'delete'],
  cron: ['read', 'write', 'delete', 'exec'],
  ddns: ['read', 'write', 'delete'],
  nat: ['read', 'write', 'delete'],
  notification: ['read', 'write', 'delete'],
  'notification-group': ['read', 'write', 'delete'],
  transfer: ['read', 'write', 'delete'],
} as const
type Rights = typeof scopeRights

/** A new entity uses the scopes of what it belongs to, such as `nezha:server:write`. */
export type Scope =
  | { [Of in keyof Rights]: `nezha:${Of}:${Rights[Of][number] | '*'}` }[keyof Rights]
  | 'nezha:admin:*'
  | 'nezha:*'

export const Role = { admin: 0, user: 1 } as const

/** Whether the granted scopes include a scope, exactly or by `prefix:*` (contract http-api 2.6). */
export function grants(scopes: readonly string[], scope: string): boolean {
  return scopes.some(
    (granted) => granted === scope || (granted.endsWith(':*') && scope.startsWith(granted.slice(0, -1))),
  )
}

export type Audience = 'guest' | 'user' | 'admin'

export function allowed(viewer: Viewer, need: { audience: Audience; scope: string | null }): boolean {
  if (need.audience !== 'guest' && viewer.id === null) return false
  // Site-wide actions are not for a token that is limited to some servers (contract http-api 11).
  if (need.audience === 'admin' && (viewer.role !== Role.admin || viewer.servers !== undefined)) return false
  return hasScope(viewer, need.scope)
}

function hasScope({ scopes }: Viewer, scope: string | null): boolean {
  return scopes === null || scope === null || grants(scopes, scope)
}

/** Throws `unauthorized` for a guest, `tokenForbidden` for a token without the scope, else `forbidden`. */
export function demand(viewer: Viewer, need: { audience: Audience; scope: string | null }): void {
  if (allowed(viewer, need)) return
  if (viewer.id === null) throw new AppError('unauthorized')
  if (need.scope !== null && !hasScope(viewer, need.scope)) throw new AppError('tokenForbidden', { scope: need.scope })
  throw new AppError('forbidden')
}
