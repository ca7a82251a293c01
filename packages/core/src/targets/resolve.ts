import type { TargetSelection } from '../define/index.ts'

/** `owner` is a user ID. */
export interface TargetServer {
  readonly id: number
  readonly owner: number
  readonly online: boolean
}

/** `admin` null: the role is unknown. */
export interface TargetOwner {
  readonly id: number
  readonly admin: boolean | null
}

export interface Targets {
  readonly ids: readonly number[]
  readonly online: readonly number[]
  readonly offline: readonly number[]
  /** Available to the owner, but excluded by the record or the request. */
  readonly excepted: readonly number[]
  /** Named by the record, but not available to the owner. */
  readonly foreign: readonly number[]
  /** Named by the record, but nonexistent. */
  readonly unknown: readonly number[]
  /** Whether some servers aren’t available to the owner. */
  readonly ownOnly: boolean
  /** False if the owner is hidden: these servers or fewer are targets. */
  readonly exact: boolean
}

/** `raisedBy`: the server that raised the alert. `excluded`: left out of this request only. */
export interface TargetRequest {
  readonly selection: TargetSelection
  /** Null if the server hides it. */
  readonly owner: TargetOwner | null
  readonly servers: readonly TargetServer[]
  readonly excluded?: readonly number[]
  readonly raisedBy?: number
}

/** Resolves the servers that a record targets, for every surface and the scheduler: a member’s only that member’s, an admin’s all. Source: contract http-api 2.8 "Runtime fan-out", engines 3.1. */
export function resolveTargets({ selection, owner, servers, excluded = [], raisedBy }: TargetRequest): Targets {
  const named = new Set(selection.mode === 'alert' ? [raisedBy ?? Number.NaN] : selection.servers)
  const left = new Set(excluded)
  const isOwners = ownersServers(owner)
  const covers = (id: number) => (selection.mode === 'except' ? !named.has(id) : named.has(id)) && !left.has(id)
  const own = servers.filter(isOwners)
  const chosen = own.filter(({ id }) => covers(id))
  const present = new Set(servers.map(({ id }) => id))
  const listed = selection.mode === 'alert' ? [] : [...named]
  return {
    ids: idsOf(chosen),
    online: idsOf(chosen.filter(({ online }) => online)),
    offline: idsOf(chosen.filter(({ online }) => !online)),
    excepted: idsOf(own.filter(({ id }) => left.has(id) || (selection.mode === 'except' && named.has(id)))),
    foreign: idsOf(servers.filter((server) => selection.mode !== 'alert' && named.has(server.id) && !isOwners(server))),
    unknown: listed.filter((id) => !present.has(id)),
    ownOnly: own.length < servers.length,
    exact: owner !== null && isAdmin(owner) !== null,
  }
}

/** ID 0 is nobody, whose records act like an admin’s (contract engines 0). */
function isAdmin({ id, admin }: TargetOwner): boolean | null {
  return id === 0 ? true : admin
}

function ownersServers(owner: TargetOwner | null): (server: TargetServer) => boolean {
  if (owner === null || isAdmin(owner) !== false) return () => true
  return (server) => server.owner === owner.id
}

function idsOf(servers: readonly TargetServer[]): number[] {
  return servers.map(({ id }) => id)
}
