import type { ApiPort, Call, FormShape, Resource } from '../define/index.ts'
import { resources } from '../resources/index.ts'

const hidden = '••••••'
/** What a sign-in carries; secret wherever it stands. */
const ofSignIns: readonly string[] = ['password', 'token']

const secretsOf = ({ fields }: Pick<FormShape, 'fields'>) =>
  Object.entries(fields).flatMap(([name, { kind }]) => (kind === 'secret' ? [name] : []))

/** Fields of a resource and of its actions' arguments that are never shown. */
function secretNames(resource: Resource): ReadonlySet<string> {
  const asked = Object.values(resource.actions).flatMap(({ args }) => (args ? secretsOf(args) : []))
  return new Set([...ofSignIns, ...secretsOf(resource), ...asked])
}

/** The resource whose calls go to this path below `/api/v1/`; undefined for a path of none. */
function resourceAt(path: string): Resource | undefined {
  const isBelow = (base: string) => path === base || path.startsWith(`${base}/`)
  const [found] = (resources as readonly Resource[])
    .filter(({ wire }) => isBelow(wire.path))
    .sort((a, b) => b.wire.path.length - a.wire.path.length)
  return found
}

/**
 * A copy of a request's body for people to read: secrets replaced, everything else as it is sent. `of`: the resource it belongs to, or the
 * path of the call below `/api/v1/`. Where that is no resource's, a secret of any resource is one.
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

/** An API that reads and never changes anything: changing calls are kept instead of sent (behaviour C-17). */
export interface DryRun extends ApiPort {
  readonly calls: readonly Call[]
}

/** Puts a dry run in front of a real API. */
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

/** The calls as people and programs read them, secrets masked. */
export function describeCalls({ calls }: Pick<DryRun, 'calls'>): { method: string; path: string; body?: unknown }[] {
  return calls.map(describeCall)
}

/** One line of a call that is not sent: method, path below the server, body without secrets (behaviour C-17). */
export function describeCall({ method, path, query, body }: Call): { method: string; path: string; body?: unknown } {
  const search = query
    ? `?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])))}`
    : ''
  return { method, path: `/api/v1/${path}${search}`, ...(body === undefined ? {} : { body: maskSecrets(body, path) }) }
}
