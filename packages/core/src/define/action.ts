import type * as z from 'zod'
import type { AppError } from '../errors/index.ts'
import type { Audience, Scope } from './access.ts'
import type { Reach } from './fields.ts'
import type { Arguments, ArgumentsDefinition, Values } from './form-shape.ts'
import type { IconName, ResourceName, Tone } from './names.ts'
import type { Report } from './report.ts'
import type { AnyRow } from './row.ts'
import type { When } from './when.ts'
import type { ActionContext, Route } from './wire.ts'

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
export interface ActionWire extends Route {
  /** What is sent. Default: the bare ids of the rows, nothing if the path has the id. Pure. */
  body?(rows: readonly AnyRow[], args: Values): unknown
}

/** The actions that every record has. */
export type StandardName = 'open' | 'edit' | 'duplicate' | 'delete'

/** What an action may leave out, with `false`, nothing or null as its default. */
interface ActionSlots<Row, Args> {
  readonly tone: Tone
  /** English words that also find it; the translated ones stand at `resources.<name>.aliases.<action>`. */
  readonly aliases: readonly string[]
  /** Default: who may write the resource. */
  readonly audience: Audience
  /** A capability the server must announce, else the action is grey with that reason. Default: what the resource requires. */
  readonly capability: string | null
  /** First match wins; the reason is a key at `resources.<name>.reasons.<reason>`. `already`: the record is as the action would leave it, so that a script may repeat the action. */
  readonly blocked: readonly { readonly when: When<Row>; readonly reason: string; readonly already?: true }[]
  /** Reasons that only the server finds; texts beside those of `blocked`. */
  readonly refusals: readonly string[]
  /** Why it cannot be used while no row is chosen, at `resources.<name>.reasons.<reason>`. Default: "No rows are selected". */
  readonly unchosen: string | null
  /** `targets` shows the exact servers first; `delete` and `block` ask with the spec's words; `ask` names the objects. Whether it is asked or only told: `core/actions/asking.ts`. */
  readonly confirm: 'none' | 'targets' | 'delete' | 'block' | 'ask'
  /** Told in the confirm with the names of the rows it is true for; texts at `resources.<name>.warnings.<warning>`. */
  readonly warn: readonly { readonly when: When<Row>; readonly warning: string }[]
  /** The title of its one row must be typed before it runs (behaviour P-20). */
  readonly typed: boolean
  /** It asks for the password again if the last proof is old (behaviour R-12). */
  readonly stepUp: boolean
  /** The servers it will reach, shown by `confirm: 'targets'`. Default: the reach of its one row. */
  readonly reach: ((rows: readonly Row[]) => Reach) | null
  /** With `targets`: what it does there cannot be undone, so that it is asked however few it reaches. */
  readonly final: boolean
  /** With `ask`: the servers it runs on, and whether that can't be undone. It's asked by the rule of `targets`, because only their number is known. */
  readonly runsOn: ((rows: readonly Row[]) => { servers: number; final: boolean }) | null
  /** Whether it does something final to all its servers at once. On a whole fleet, this takes typed words even if a script agrees to everything else. */
  readonly allAtOnce: ((rows: readonly Row[], args: Args) => boolean) | null
  /** Its outcome is a run of the ledger that can be waited for. */
  readonly starts: 'run' | null
  /** What shows that something came of it on a server without a ledger (spec D3). */
  readonly evidence: Evidence | null
  /**
   * Its text, run elsewhere, brings a record of this resource: it has come when it meets `when`. `renews`: fields of which another value says
   * that a record which met it all along was brought anew. `many`: the argument that says how many it brings; one if not named.
   */
  readonly brings: { readonly when: When<Row>; readonly renews?: readonly string[]; readonly many?: string } | null
  /** Sent 6 s later so that it can be taken back, and at once when the page or the program is left (behaviour P-22). */
  readonly waits: boolean
  /** The screen it opens for its rows, which only a person can use: it is no tool for programs. */
  readonly opens: Screen | null
  readonly wire: ActionWire | null
}

/** What the author of an action writes. Name, texts and CLI verb are derived from its key in `actions`. */
export interface ActionDefinition<Row, I extends z.ZodObject = z.ZodObject>
  extends Partial<ActionSlots<Row, z.output<I>>> {
  /** How many rows it takes: none, exactly one, or one and more. */
  on: 'none' | 'one' | 'many'
  scope: Scope | null
  icon: IconName
  /** One chord, or one per front end if the two cannot send the same (behaviours P-32). */
  key?: string | { web: string; tui: string }
  /** What is asked before it runs; labels at `resources.<name>.args.<action>.fields.<field>`. */
  args?: ArgumentsDefinition<I, Row>
  /** What the answer of the wire call means. Default: done. Pure. */
  outcome?(answer: unknown, rows: readonly Row[]): Outcome
  /** Default: the wire call is the whole action. */
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
export interface Action<Row = AnyRow> extends ActionSlots<Row, Values> {
  readonly name: string
  readonly resource: ResourceName
  readonly on: 'none' | 'one' | 'many'
  readonly scope: Scope | null
  readonly icon: IconName
  readonly key: { readonly web: string | null; readonly tui: string | null }
  readonly args: Arguments | null
  /** `args` are valid values of its form; an action without one takes none. */
  run(context: ActionContext, rows: readonly Row[], args?: Values): Promise<Outcome>
}

/** Types an action's definition against its row and its arguments. The result still says whether it has arguments and a call. */
export function defineAction<Row>(): <I extends z.ZodObject, D extends object>(
  definition: ActionDefinition<Row, I> & D,
) => ActionDefinition<Row> & Pick<D, keyof D & ('args' | 'wire')> {
  return (definition) => definition as never
}
