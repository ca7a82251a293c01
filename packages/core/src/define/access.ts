import { AppError } from '../errors/index.ts'

/** Who looks: null id for a guest. A missing role counts as admin for what is shown (spec section 3); the server decides what is allowed. */
export interface Viewer {
  id: number | null
  username: string
  role: number
  /** Scopes of an API token; null means a signed-in session, which is not limited by scopes. */
  scopes: readonly string[] | null
}

/** Roles on the wire. */
export const Role = { admin: 0, user: 1 } as const

/** True when a set of granted scopes covers one scope: exact, or a granted `prefix:*` (contract http-api 2.6). */
export function grants(scopes: readonly string[], scope: string): boolean {
  return scopes.some(
    (granted) => granted === scope || (granted.endsWith(':*') && scope.startsWith(granted.slice(0, -1))),
  )
}

/** Who may use a resource or action: everyone, whoever is signed in, or admins. */
export type Audience = 'guest' | 'user' | 'admin'

/** True when this viewer belongs to the audience and holds the scope. */
export function allowed(viewer: Viewer, need: { audience: Audience; scope: string | null }): boolean {
  if (need.audience !== 'guest' && viewer.id === null) return false
  if (need.audience === 'admin' && viewer.role !== Role.admin) return false
  return viewer.scopes === null || need.scope === null || grants(viewer.scopes, need.scope)
}

/** Throws `unauthorized` for a guest and `forbidden` for anybody else who is not allowed. */
export function demand(viewer: Viewer, need: { audience: Audience; scope: string | null }): void {
  if (allowed(viewer, need)) return
  if (viewer.id === null) throw new AppError('unauthorized')
  throw new AppError('forbidden', need.scope === null ? {} : { scope: need.scope })
}
