import type { Viewer } from './access.ts'
import type { View } from './row.ts'

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
