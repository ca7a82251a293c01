import type { Viewer } from './access.ts'
import type { AnyRow, View } from './row.ts'

/** Used by `qd` and the routes. */
export type Verb = 'list' | 'get' | 'create' | 'edit' | 'delete'

/** A path below `/api/v1/`; `{id}` is the record’s. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
}

export const atRecord = ({ path }: Route, id: number): string => path.replace('{id}', String(id))

/** `create.reveals`: a value that only its response contains, shown once. The body of a delete without `{id}` is an array of IDs. */
export interface Calls {
  readonly list: Route
  readonly get: Route
  readonly create: Route & { readonly reveals?: string }
  readonly edit: Route
  readonly delete: Route
}

export interface Wire {
  readonly verbs: readonly Verb[]
  /** Below `/api/v1/`. */
  readonly path: string
  readonly calls: Calls
  /** `one`: a single record at `path` (settings, account). */
  readonly shape: 'one' | 'many'
  readonly paging: 'all' | 'server'
  /** A choice field by which the server filters a paged list (`?<field>=a,b`). */
  readonly filter: string | null
  /** Completes list items by another call, for servers whose list lacks fields. */
  readonly load: ((items: readonly unknown[], api: ApiPort) => Promise<readonly unknown[]>) | null
  decode(item: unknown): unknown
  encode(input: Readonly<Record<string, unknown>>): unknown
  /** For the server: the reverse directions. */
  decodeInput(body: unknown): unknown
  encodeRow(row: AnyRow): unknown
}

export type WireDefinition = Partial<Omit<Wire, 'calls'> & { readonly calls: Partial<Calls> }>

const same = (value: unknown) => value

export function completeWire(name: string, given: WireDefinition = {}): Wire {
  const { path = name, shape = 'many' } = given
  const item = shape === 'one' ? path : `${path}/{id}`
  return {
    verbs: ['list', 'create', 'edit', 'delete'],
    path,
    shape,
    paging: 'all',
    filter: null,
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

/** `path` is below `/api/v1/`, without a leading slash. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** Sent as `If-Match` if supported. */
  ifMatch?: string
  /** Asks for the saved record as the response, if supported. */
  prefersRecord?: true
  /** A GET with an effect, so it isn’t retried. */
  once?: true
  /** No GET, but without an effect. */
  changesNothing?: true
}

/** The only effect of actions; dry runs and tests supply their own. */
export interface ApiPort {
  /** Returns the response’s `data`. Errors: AppError. */
  send(call: Call): Promise<unknown>
  pause?: (() => Promise<void>) | undefined
}

export interface ActionContext {
  api: ApiPort
  viewer: Viewer
  view: View
  /** The program has no browser, so the user pastes the code from a provider’s page. */
  takesCode?: true
}
