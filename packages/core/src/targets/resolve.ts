import type { Reach } from '../define/index.ts'

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
  /** In the owner’s reach, but excluded by the record or the request. */
  readonly excepted: readonly number[]
  /** Named by the record, but out of the owner’s reach. */
  readonly foreign: readonly number[]
  /** Named by the record, but nonexistent. */
  readonly unknown: readonly number[]
  /** Whether some servers are out of the owner’s reach. */
  readonly ownOnly: boolean
  /** False if the owner is hidden: these servers or fewer are reached. */
  readonly exact: boolean
}

/** `raisedBy`: the server that raised the alert. `excluded`: left out of this request only. */
export interface TargetRequest {
  readonly reach: Reach
  /** Null if the server hides it. */
  readonly owner: TargetOwner | null
  readonly servers: readonly TargetServer[]
  readonly excluded?: readonly number[]
  readonly raisedBy?: number
}

/** The servers that a record reaches, for every surface and the scheduler: a member’s only that member’s, an admin’s all. Source: contract http-api 2.8 "Runtime fan-out", engines 3.1. */
export function resolveTargets({ reach, owner, servers, excluded = [], raisedBy }: TargetRequest): Targets {
  const named = new Set(reach.mode === 'alert' ? [raisedBy ?? Number.NaN] : reach.servers)
  const left = new Set(excluded)
  const isOwners = ownersServers(owner)
  const covers = (id: number) => (reach.mode === 'except' ? !named.has(id) : named.has(id)) && !left.has(id)
  const own = servers.filter(isOwners)
  const reached = own.filter(({ id }) => covers(id))
  const present = new Set(servers.map(({ id }) => id))
  const listed = reach.mode === 'alert' ? [] : [...named]
  return {
    ids: idsOf(reached),
    online: idsOf(reached.filter(({ online }) => online)),
    offline: idsOf(reached.filter(({ online }) => !online)),
    excepted: idsOf(own.filter(({ id }) => left.has(id) || (reach.mode === 'except' && named.has(id)))),
    foreign: idsOf(servers.filter((server) => reach.mode !== 'alert' && named.has(server.id) && !isOwners(server))),
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
