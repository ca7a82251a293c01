import type { ApiPort, Call, FormShape, Resource, View } from '../define/index.ts'
import { resources } from '../resources/index.ts'
import type { Targets } from '../targets/index.ts'

const hidden = '••••••'
/** Credentials, secret in any resource. */
const ofSignIns: readonly string[] = ['password', 'token']

const secretsOf = ({ fields }: Pick<FormShape, 'fields'>) =>
  Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : []))

function secretNames(resource: Resource): ReadonlySet<string> {
  const asked = Object.values(resource.actions).flatMap(({ args }) => (args ? secretsOf(args) : []))
  return new Set([...ofSignIns, ...secretsOf(resource), ...asked])
}

function resourceAt(given: string): Resource | undefined {
  const path = given.replace(/^.*?\/api\/v1\//, '')
  const isBelow = (base: string) => path === base || path.startsWith(`${base}/`)
  const [found] = (resources as readonly Resource[])
    .filter(({ wire }) => isBelow(wire.path))
    .sort((a, b) => b.wire.path.length - a.wire.path.length)
  return found
}

/**
 * Copies a request’s body for display with its secrets masked. `of`: its resource, or the call’s path. For a path of no resource,
 * the secrets of all resources are masked.
 */
export function maskSecrets(body: unknown, of: Resource | string): unknown {
  const resource = typeof of === 'string' ? resourceAt(of) : of
  const owners: readonly Resource[] = resource ? [resource] : resources
  const names = new Set(owners.flatMap((one) => [...secretNames(one)]))
  return masked(body, names)
}

function masked(body: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(body)) return body.map((item) => masked(item, names))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      names.has(name) && value !== '' && value !== null ? hidden : masked(value, names),
    ]),
  )
}

/** Sends reads, and records changing calls instead of sending them (behavior C-17). */
export interface DryRun extends ApiPort {
  readonly calls: readonly Call[]
}

export function createDryRun(api: ApiPort): DryRun {
  const calls: Call[] = []
  return {
    calls,
    async send(call) {
      if (call.method === 'GET') return api.send(call)
      calls.push(call)
      return null
    },
  }
}

export function describeCalls({ calls }: Pick<DryRun, 'calls'>): { method: string; path: string; body?: unknown }[] {
  return calls.map(describeCall)
}

export function describeCall({ method, path, query, body }: Call): { method: string; path: string; body?: unknown } {
  const search = query
    ? `?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`
    : ''
  return { method, path: `/api/v1/${path}${search}`, ...(body === undefined ? {} : { body: maskSecrets(body, path) }) }
}

/** The servers of a dry run, for programs. */
export function namedTargets({ online, offline }: Pick<Targets, 'online' | 'offline'>, view: Pick<View, 'title'>) {
  const named = (ids: readonly number[]) => ids.map((id) => ({ id, name: view.title('server', id) ?? '' }))
  return { online: named(online), offline: named(offline) }
}
