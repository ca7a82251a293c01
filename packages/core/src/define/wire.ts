import type { Viewer } from './access.ts'
import type { AnyRow, View } from './row.ts'

/** Verbs every entity may share; `qd` and the routes use these words. */
export type Verb = 'list' | 'get' | 'create' | 'edit' | 'delete'

/** Where a call goes: a path below `/api/v1/`, in which `{id}` is that of the record. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
}

/** The path of a call about this record. */
export const atRecord = ({ path }: Route, id: number): string => path.replace('{id}', String(id))

/** The call of each verb. `create.reveals`: the value that only its answer holds, shown once on every surface. The body of a delete without `{id}` is a bare array of ids. */
export interface Calls {
  readonly list: Route
  readonly get: Route
  readonly create: Route & { readonly reveals?: string }
  readonly edit: Route
  readonly delete: Route
}

/** How records of a resource travel. */
export interface Wire {
  /** The verbs the wire has. */
  readonly verbs: readonly Verb[]
  /** Below `/api/v1/`. */
  readonly path: string
  readonly calls: Calls
  /** `one`: a single record read and written at `path` itself (settings, account). */
  readonly shape: 'one' | 'many'
  readonly paging: 'all' | 'server'
  /** A choice field by which the server leaves out records of a paged list (`?<field>=a,b`); null if it has none. */
  readonly filter: string | null
  /** How a save is confirmed that may be on trial: by a further call, which shows that the person was not shut out; null where there is none. */
  readonly keep: { capability: string; call: Call } | null
  /** Completes the items of a list by another call, for a server that doesn't say all in the list; null if every server does. */
  readonly load: ((items: readonly unknown[], api: ApiPort) => Promise<readonly unknown[]>) | null
  /** One item of an answer to a record. Pure. */
  decode(item: unknown): unknown
  /** What create and edit send, from valid input. Pure. */
  encode(input: Readonly<Record<string, unknown>>): unknown
  /** The other way, for a server: input from a request body, an item from a record. Pure; absent if both are the same. */
  decodeInput(body: unknown): unknown
  encodeRow(row: AnyRow): unknown
}

/** What the author of a resource writes of it: what is not uniform. */
export type WireDefinition = Partial<Omit<Wire, 'calls'> & { readonly calls: Partial<Calls> }>

const same = (value: unknown) => value

/** The wire with every default filled. */
export function completeWire(name: string, given: WireDefinition = {}): Wire {
  const { path = name, shape = 'many' } = given
  const item = shape === 'one' ? path : `${path}/{id}`
  return {
    verbs: ['list', 'create', 'edit', 'delete'],
    path,
    shape,
    paging: 'all',
    filter: null,
    keep: null,
    load: null,
    decode: same,
    encode: same,
    decodeInput: same,
    encodeRow: same,
    ...given,
    calls: {
      list: { method: 'GET', path },
      get: { method: 'GET', path: item },
      create: { method: 'POST', path },
      edit: { method: 'PATCH', path: item },
      delete: { method: 'POST', path: `batch-delete/${name}` },
      ...given.calls,
    },
  }
}

/** One HTTP call below `/api/v1/`. `path` has no leading slash. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** Sent as `If-Match` where the server takes it. */
  ifMatch?: string
  /** It does something although it is a GET: it is not sent again after a failure. */
  once?: true
  /** It changes nothing although it is no GET, as proving who one is. */
  changesNothing?: true
}

/** What actions may do to the outside world: calls on the wire. The dry run and the tests supply their own. */
export interface ApiPort {
  /** Sends one call and answers its `data`. Errors: AppError. */
  send(call: Call): Promise<unknown>
  /** See `Ports`. */
  pause?: (() => Promise<void>) | undefined
}

/** What every run of an action is given. */
export interface ActionContext {
  api: ApiPort
  viewer: Viewer
  view: View
  /** The program has no browser of its own: it takes back the code that a provider's page shows at the end. */
  takesCode?: true
}
