import type { Audience, Viewer } from './access.ts'
import type { IconName, ResourceName, Tone } from './names.ts'
import type { AnyRow, View } from './row.ts'
import type { When } from './when.ts'

/** One HTTP call below `/api/v1/`. `path` has no leading slash. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** Sent as `If-Match` where the server takes it. */
  ifMatch?: string
}

/** What actions may do to the outside world: calls on the wire. The dry run and the tests supply their own. */
export interface ApiPort {
  /** Sends one call and answers its `data`. Errors: AppError. */
  send(call: Call): Promise<unknown>
}

/** Screens that are not lists or forms; each front end decides what they look like. */
export type Screen = 'login' | 'account' | 'setting' | 'run' | 'help' | 'public' | 'server'

/** What an action did, or what the front end is to open now. An action never draws. */
export type Outcome =
  | { kind: 'done'; changed?: readonly number[]; removed?: readonly number[] }
  | { kind: 'sent'; run: number | null; changed: readonly number[] }
  | { kind: 'form'; resource: ResourceName; mode: 'create' | 'edit' | 'duplicate'; id: number | null }
  | { kind: 'open'; screen: Screen; id: number | null }
  | { kind: 'list'; resource: ResourceName }
  | { kind: 'copy'; text: string }

/** What every run of an action is given. */
export interface ActionContext {
  api: ApiPort
  viewer: Viewer
  view: View
}

/** Where an action goes on the wire. `{id}` in the path is a row's id; without it one call carries all rows' ids as its body. */
export interface ActionWire {
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
}

/** What the author of an action writes. Name, texts and CLI verb are derived from its key in `actions`. */
export interface ActionDefinition<Row> {
  /** How many rows it takes: none, exactly one, or one and more. */
  on: 'none' | 'one' | 'many'
  scope: string | null
  audience?: Audience
  icon: IconName
  /** One chord, or one per front end where the two cannot send the same (behaviours P-32). */
  key?: string | { web: string; tui: string }
  tone?: Tone
  /** `targets` shows the exact servers first; `delete` asks with the spec's words; `ask` names the objects. */
  confirm?: 'targets' | 'delete' | 'ask'
  /** English words that also find it; the translated ones stand at `resources.<name>.aliases.<action>`. */
  aliases?: readonly string[]
  /** A capability the server must announce, else the action is grey with that reason. */
  capability?: string
  /** Its outcome is a run of the ledger that can be waited for. */
  starts?: 'run'
  /** First match wins; the reason is a key at `resources.<name>.reasons.<reason>`. */
  blocked?: readonly { when: When<Row>; reason: string }[]
  wire?: ActionWire
  /** Absent: the wire call is the whole action. */
  run?(context: ActionContext, rows: readonly Row[]): Promise<Outcome>
}

/** An action as the system runs on it: every default filled. */
export interface Action<Row = AnyRow> {
  readonly name: string
  readonly resource: ResourceName
  readonly on: 'none' | 'one' | 'many'
  readonly scope: string | null
  readonly audience: Audience
  readonly icon: IconName
  readonly key: { readonly web: string | null; readonly tui: string | null }
  readonly tone: Tone
  readonly confirm: 'none' | 'targets' | 'delete' | 'ask'
  readonly aliases: readonly string[]
  readonly capability: string | null
  readonly starts: 'run' | null
  readonly blocked: readonly { readonly when: When<AnyRow>; readonly reason: string }[]
  readonly wire: ActionWire | null
  run(context: ActionContext, rows: readonly Row[]): Promise<Outcome>
}

/** Types an action's definition against its row. */
export function defineAction<Row>(): (definition: ActionDefinition<Row>) => ActionDefinition<Row> {
  return (definition) => definition
}
