import type * as z from 'zod'
import type { AppError } from '../errors/index.ts'
import type { Audience, Scope } from './access.ts'
import type { Reach } from './fields.ts'
import type { Arguments, ArgumentsDefinition, Values } from './form-shape.ts'
import type { IconName, ResourceName, Tone } from './names.ts'
import type { Report } from './report.ts'
import type { AnyRow } from './row.ts'
import type { When } from './when.ts'
import type { ActionContext } from './wire.ts'

/** Screens that are no lists, forms or records; each front end decides what they look like. */
export type Screen = 'login' | 'account' | 'setting' | 'help' | 'public' | 'terminal' | 'files' | 'wall' | 'compare'

/** Ids in the three buckets of a fan-out (contract http-api 4.15): handed to the agent, not connected, failed. A rollout's are those of its first servers. */
export interface Buckets {
  success: readonly number[]
  offline: readonly number[]
  failure: readonly number[]
}

/** A record that an action on several was refused for, and why (behaviour C-20). */
export interface RowFailure {
  readonly id: number
  readonly error: AppError
}

/** What an action did, or what the front end is to open now. An action never draws. `failed`: the records it was refused for, each with its reason. */
export type Outcome =
  | { kind: 'done'; changed?: readonly number[]; removed?: readonly number[]; failed?: readonly RowFailure[] }
  | {
      kind: 'sent'
      run: number | null
      /** One for each of several records, if the server records runs. */
      runs?: readonly number[]
      changed: readonly number[]
      buckets?: Buckets
      failed?: readonly RowFailure[]
    }
  | { kind: 'form'; resource: ResourceName; mode: 'create' | 'edit' | 'duplicate'; id: number | null }
  /** `others`: what stands beside the record there. */
  | { kind: 'open'; screen: Screen; id: number | null; others?: readonly number[] }
  /** The page of one record. */
  | { kind: 'detail'; resource: ResourceName; id: number }
  | { kind: 'list'; resource: ResourceName }
  /** An address elsewhere that the person is to be taken to. */
  | { kind: 'visit'; url: string }
  | { kind: 'copy'; text: string }
  /** `of` names the field it belongs to. Shown once and never again, unless it can be had `again`. */
  | { kind: 'secret'; resource: ResourceName; of: string; text: string; again?: true }
  /** Something to read; `data` is the same for a program. `ended`: whether what was asked for came about (default `well`). */
  | { kind: 'report'; report: Report; data: unknown; ended?: 'well' | 'partly' | 'badly' }

/** Where an action goes on the wire. `{id}` in the path is a row's id, one call for each; without it one call carries all rows. */
export interface ActionWire {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** What is sent. Default: the bare ids of the rows, nothing if the path has the id. Pure. */
  body?(rows: readonly AnyRow[], args: Values): unknown
}

/** The actions that every record has. */
export type StandardName = 'open' | 'edit' | 'duplicate' | 'delete'

/** What the author of an action writes. Name, texts and CLI verb are derived from its key in `actions`. */
export interface ActionDefinition<Row, I extends z.ZodObject = z.ZodObject> {
  /** How many rows it takes: none, exactly one, or one and more. */
  on: 'none' | 'one' | 'many'
  scope: Scope | null
  audience?: Audience
  icon: IconName
  /** One chord, or one per front end where the two cannot send the same (behaviours P-32). */
  key?: string | { web: string; tui: string }
  tone?: Tone
  /** `targets` shows the exact servers first; `delete` and `block` ask with the spec's words; `ask` names the objects. Whether it is asked or only told: `core/actions/asking.ts`. */
  confirm?: 'targets' | 'delete' | 'block' | 'ask'
  /** With `targets`: what it does there cannot be undone, so that it is asked however few it reaches. */
  final?: true
  /** With `ask`: the servers that it runs on, and whether what it does there can't be undone. It's asked by the rule of `targets`, because only their number is known. */
  runsOn?(rows: readonly Row[]): { servers: number; final: boolean }
  /** Whether it does something final to all its servers at once. On a whole fleet, this takes typed words even if a script agrees to everything else. */
  allAtOnce?(rows: readonly Row[], args: z.output<I>): boolean
  /** English words that also find it; the translated ones stand at `resources.<name>.aliases.<action>`. */
  aliases?: readonly string[]
  /** A capability the server must announce, else the action is grey with that reason. */
  capability?: string
  /** Its outcome is a run of the ledger that can be waited for. */
  starts?: 'run'
  /** What shows that something came of it on a server without a ledger (spec D3). */
  evidence?: Evidence
  /** Its text brings a record of this resource once it is run elsewhere: the record has come when it meets this condition. */
  brings?: When<Row>
  /** The argument that says how many records it brings; one if not named. */
  bringsMany?: string
  /** Fields of which another value says that a record which met `brings` all along was brought anew. */
  renews?: readonly string[]
  /** Sent 6 s later so that it can be taken back, and at once when the page or the program is left (behaviour P-22). */
  waits?: true
  /** It asks for the password again where the last proof is old (behaviour R-12). */
  stepUp?: true
  /** It opens something that only a person at a screen can use, so that it is no tool for programs. */
  onScreen?: true
  /** What is asked before it runs; labels at `resources.<name>.args.<action>.fields.<field>`. */
  args?: ArgumentsDefinition<I, Row>
  /** The servers it will reach, shown by `confirm: 'targets'`. Default: the reach of its one row. */
  reach?(rows: readonly Row[]): Reach
  /** Told in the confirm with the names of the rows it is true for; texts at `resources.<name>.warnings.<warning>`. */
  warn?: readonly { when: When<Row>; warning: string }[]
  /** Why it cannot be used while no row is chosen, at `resources.<name>.reasons.<reason>`. Default: "No rows are selected". */
  unchosen?: string
  /** First match wins; the reason is a key at `resources.<name>.reasons.<reason>`. `already`: the record is as the action would leave it, so that a script may repeat the action. */
  blocked?: readonly { when: When<Row>; reason: string; already?: true }[]
  /** Reasons that only the server finds; texts beside those of `blocked`. */
  refusals?: readonly string[]
  /** The title of its one row must be typed before it runs (behaviour P-20). */
  typed?: true
  wire?: ActionWire
  /** What the answer of the wire call means. Default: done. Pure. */
  outcome?(answer: unknown, rows: readonly Row[]): Outcome
  /** Absent: the wire call is the whole action. */
  run?(context: ActionContext, rows: readonly Row[], args: z.output<I>): Promise<Outcome>
}

/**
 * A field of the record that changes when something came of what was sent: of the record that was acted on, or of each server that was
 * reached. `proves`: the change says that it succeeded, or only that somebody answered. `run`: the kind of run that a server with a ledger
 * would have recorded.
 */
export interface Evidence {
  readonly field: string
  readonly proves: 'success' | 'answer'
  readonly run: 'cron' | 'update'
}

/** An action as the system runs on it: every default filled. */
export interface Action<Row = AnyRow> {
  readonly name: string
  readonly resource: ResourceName
  readonly on: 'none' | 'one' | 'many'
  readonly scope: Scope | null
  readonly audience: Audience
  readonly icon: IconName
  readonly key: { readonly web: string | null; readonly tui: string | null }
  readonly tone: Tone
  readonly confirm: 'none' | 'targets' | 'delete' | 'block' | 'ask'
  readonly final: boolean
  readonly runsOn: ((rows: readonly Row[]) => { servers: number; final: boolean }) | null
  readonly allAtOnce: ((rows: readonly Row[], args: Values) => boolean) | null
  readonly aliases: readonly string[]
  readonly capability: string | null
  readonly starts: 'run' | null
  readonly evidence: Evidence | null
  readonly brings: When<AnyRow> | null
  readonly bringsMany: string | null
  readonly renews: readonly string[]
  readonly waits: boolean
  readonly stepUp: boolean
  readonly onScreen: boolean
  readonly args: Arguments | null
  readonly reach: ((rows: readonly Row[]) => Reach) | null
  readonly warn: readonly { readonly when: When<AnyRow>; readonly warning: string }[]
  readonly unchosen: string | null
  readonly blocked: readonly { readonly when: When<AnyRow>; readonly reason: string; readonly already?: true }[]
  readonly refusals: readonly string[]
  readonly typed: boolean
  readonly wire: ActionWire | null
  /** `args` are valid values of its form; an action without one takes none. */
  run(context: ActionContext, rows: readonly Row[], args?: Values): Promise<Outcome>
}

/** Types an action's definition against its row and its arguments. The result still says whether it has arguments and a call. */
export function defineAction<Row>(): <I extends z.ZodObject, D extends object>(
  definition: ActionDefinition<Row, I> & D,
) => ActionDefinition<Row> & Pick<D, keyof D & ('args' | 'wire')> {
  return (definition) => definition as never
}
