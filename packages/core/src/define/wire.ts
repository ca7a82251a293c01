import type { Viewer } from './access.ts'
import type { AnyRow, View } from './row.ts'

/** Verbs every entity may share; `qd` and the routes use these words. */
export type Verb = 'list' | 'get' | 'create' | 'edit' | 'delete'

/** A call that tells more of the records of a list. */
export interface Beside {
  path: string
  /** Whether the list itself does not tell it, by one of its items. Pure. */
  isMissing(item: unknown): boolean
  /** Puts what the answer tells into an item of the list. Pure. */
  adds(answer: unknown): (item: unknown) => unknown
}

/** Where a resource lives on the wire and what is not uniform there. */
export interface Wire {
  /** The verbs the wire has. */
  verbs: readonly Verb[]
  /** Below `/api/v1/`; item paths append `/{id}`. */
  path: string
  /** Path of the list call, where it is another. */
  listPath: string
  /** Path of the delete call, whose body is a bare array of ids. */
  batchPath: string
  /** `each`: there is no such call; every record is deleted by itself with `DELETE path/{id}`. */
  deletes: 'batch' | 'each'
  /** The value that only the answer of create holds; it is shown once, on every surface. */
  reveals: string | null
  /** `one`: a single record read and written at `path` itself (settings, account). */
  shape: 'one' | 'many'
  /** HTTP method of edit. */
  editMethod: 'PATCH' | 'POST'
  paging: 'all' | 'server'
  /** A choice field by which the server leaves out records of a paged list (`?<field>=a,b`); null if it has none. */
  filter: string | null
  /** How a save is confirmed that may be on trial: by a further call, which shows that the person was not shut out; null where there is none. */
  keep: { capability: string; call: Call } | null
  /** What a server may tell by another call instead of in the list; null: nothing. */
  beside: Beside | null
  /** One item of an answer to a record. Pure. */
  decode(item: unknown): unknown
  /** What create and edit send, from valid input. Pure. */
  encode(input: Readonly<Record<string, unknown>>): unknown
  /** The other way, for a server: input from a request body, an item from a record. Pure; absent if both are the same. */
  decodeInput(body: unknown): unknown
  encodeRow(row: AnyRow): unknown
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
