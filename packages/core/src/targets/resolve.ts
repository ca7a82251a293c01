import type { Reach } from '../define/index.ts'

/** What is asked of a server to decide whether a record reaches it. `owner` is a user id. */
export interface TargetServer {
  readonly id: number
  readonly owner: number
  readonly online: boolean
}

/** Whose record it is. `admin` null: the role is not known here. */
export interface TargetOwner {
  readonly id: number
  readonly admin: boolean | null
}

/** Which servers are reached, in the order they were given. */
export interface Targets {
  /** All that are reached, online or not. */
  readonly ids: readonly number[]
  readonly online: readonly number[]
  readonly offline: readonly number[]
  /** Within the owner's reach but left out, by the record or by the request. */
  readonly excepted: readonly number[]
  /** Named by the record but not the owner's to reach. */
  readonly foreign: readonly number[]
  /** Named by the record but not there. */
  readonly unknown: readonly number[]
  /** True when there are servers that only others may reach. */
  readonly ownOnly: boolean
  /** False when the owner is hidden: what is reached is these servers or fewer. */
  readonly exact: boolean
}

/** What a record reaches is asked with; `raisedBy` is the server that raised the alert, `excluded` what this one request leaves out. */
export interface TargetRequest {
  readonly reach: Reach
  /** Null: the server hides it. */
  readonly owner: TargetOwner | null
  readonly servers: readonly TargetServer[]
  readonly excluded?: readonly number[]
  readonly raisedBy?: number
}

/**
 * Which servers a record reaches: the one answer for form, confirm, dry run, scheduler and dispatch. Pure.
 * A member's record reaches that member's servers only, an admin's all. Source: contract http-api 2.8 "Runtime fan-out", engines 3.1.
 */
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

/** Id 0 is nobody's record, which acts like an admin's (contract engines 0). */
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
