import type * as z from 'zod'
import type { AppError } from '../errors.ts'
import type { Audience, Scope } from './access.ts'
import type { TargetSelection } from './fields.ts'
import type { Arguments, ArgumentsDefinition, Values } from './form-shape.ts'
import type { IconName, ResourceName, Tone } from './names.ts'
import type { Report } from './report.ts'
import type { AnyRow } from './row.ts'
import type { When } from './when.ts'
import type { ActionContext, Route } from './wire.ts'

/** Screens other than lists, forms and records. */
export type Screen =
  | 'login'
  | 'account'
  | 'setting'
  | 'help'
  | 'public'
  | 'terminal'
  | 'files'
  | 'wall'
  | 'compare'
  | 'logs'

/** IDs in the buckets of a fan-out (contract http-api 4.15): sent, offline, failed. For a rollout, of its first servers. */
export interface Buckets {
  success: readonly number[]
  offline: readonly number[]
  failure: readonly number[]
}

/** A record for which an action failed (behavior C-20). */
export interface RowFailure {
  readonly id: number
  readonly error: AppError
}

/** A record of a host with a shell of its own: its resource, and what tells it from others of its host. */
export interface ShellPlace {
  readonly kind: ResourceName
  readonly name: string
}

/** What an action did, or what the front end should open. Actions never draw. */
export type Outcome =
  | { kind: 'done'; changed?: readonly number[]; removed?: readonly number[]; failed?: readonly RowFailure[] }
  | {
      kind: 'sent'
      run: number | null
      /** Of several records, those whose run the server recorded. */
      runs?: readonly { readonly id: number; readonly run: number }[]
      changed: readonly number[]
      buckets?: Buckets
      failed?: readonly RowFailure[]
    }
  | { kind: 'form'; resource: ResourceName; mode: 'create' | 'edit' | 'duplicate'; id: number | null }
  /** `others`: records to open beside it. `inside`: the record on that server in which its terminal opens a shell. `query`: what to show, as in the screen’s address. */
  | {
      kind: 'open'
      screen: Screen
      id: number | null
      others?: readonly number[]
      inside?: ShellPlace
      query?: Readonly<Record<string, string>>
    }
  | { kind: 'detail'; resource: ResourceName; id: number }
  | { kind: 'list'; resource: ResourceName }
  | { kind: 'visit'; url: string }
  | { kind: 'copy'; text: string }
  /** `of`: its field. Shown once, unless it can be read `again`. */
  | { kind: 'secret'; resource: ResourceName; of: string; text: string; again?: true }
  /** `data` is the same for programs. `ended`: the result (default `well`). */
  | { kind: 'report'; report: Report; data: unknown; ended?: 'well' | 'partly' | 'badly' }

/** With `{id}` in the path one call per row, else one for all rows. */
export interface ActionWire extends Route {
  /** Default: the rows’ IDs, or nothing if the path has the ID. */
  body?(rows: readonly AnyRow[], args: Values): unknown
}

export type StandardName = 'open' | 'edit' | 'duplicate' | 'delete'

/** Optional parts of an action; the defaults are `false`, nothing or null. */
interface ActionSlots<Row, Args> {
  readonly tone: Tone
  /** English synonyms; translations at `resources.<name>.aliases.<action>`. */
  readonly aliases: readonly string[]
  /** Default: who may write the resource. */
  readonly audience: Audience
  /** A required capability; without it the action is disabled. Default: the resource’s. */
  readonly capability: string | null
  /** The first match counts; texts at `resources.<name>.reasons.<reason>`. `already`: the action would change nothing, so scripts may repeat it. */
  readonly blocked: readonly { readonly when: When<Row>; readonly reason: string; readonly already?: true }[]
  /** Reasons that only the server knows. */
  readonly refusals: readonly string[]
  /** Why it requires a selection, at `resources.<name>.reasons.<reason>`. Default: "No rows are selected". */
  readonly unchosen: string | null
  /** `targets` shows the servers; `delete` and `block` use the spec’s texts; `ask` names the objects. The level: `core/actions/confirm.ts`. */
  readonly confirm: 'none' | 'targets' | 'delete' | 'block' | 'ask'
  /** Shown in the confirmation with the affected rows; texts at `resources.<name>.warnings.<warning>`. */
  readonly warn: readonly { readonly when: When<Row>; readonly warning: string }[]
  /** The title of the row must be typed (behavior P-20). */
  readonly typed: boolean
  /** Requires a recent password (behavior R-12). */
  readonly stepUp: boolean
  /** The servers that it acts on. Default: the targets of its rows. */
  readonly targets: ((rows: readonly Row[]) => TargetSelection) | null
  /** With `targets`: can’t be undone, so it is always confirmed. */
  readonly final: boolean
  /** With `ask`: the number of servers, and whether it can’t be undone there. Confirmed like `targets`. */
  readonly runsOn: ((rows: readonly Row[]) => { servers: number; final: boolean }) | null
  /** Whether it does something final to all its servers at once. On a whole fleet, scripts must then repeat the typed words too. */
  readonly allAtOnce: ((rows: readonly Row[], args: Args) => boolean) | null
  /** Starts a run that can be awaited. */
  readonly starts: 'run' | null
  /** What proves an effect on a server without runs (spec D3). */
  readonly evidence: Evidence | null
  /**
   * Its text, run on a host, adds a record that meets `when`. `renews`: fields whose change shows that a record which met it all along was added
   * again. `many`: the argument with their number (default 1).
   */
  readonly brings: { readonly when: When<Row>; readonly renews?: readonly string[]; readonly many?: string } | null
  /** Delayed by 6 s so that it can be undone; sent at once when the page or program closes (behavior P-22). */
  readonly waits: boolean
  /** Opens a screen, so it is no tool for programs. */
  readonly opens: Screen | null
  readonly wire: ActionWire | null
}

/** Name, texts and CLI verb are derived from the key in `actions`. */
export interface ActionDefinition<Row, I extends z.ZodObject = z.ZodObject>
  extends Partial<ActionSlots<Row, z.output<I>>> {
  /** Number of rows: none, exactly one, or one and more. */
  on: 'none' | 'one' | 'many'
  scope: Scope | null
  icon: IconName
  /** One per front end if they can’t send the same chord (behaviors P-32). */
  key?: string | { web: string; tui: string }
  /** Labels at `resources.<name>.args.<action>.fields.<field>`. */
  args?: ArgumentsDefinition<I, Row>
  /** Converts the response. Default: done. */
  outcome?(answer: unknown, rows: readonly Row[]): Outcome
  /** Default: the wire call. */
  run?(context: ActionContext, rows: readonly Row[], args: z.output<I>): Promise<Outcome>
}

/**
 * A field that changes when the action had an effect: of the record, or of each target server. `proves`: whether the change means success or
 * only a response. `run`: the kind of run that a server with runs would have recorded.
 */
export interface Evidence {
  readonly field: string
  readonly proves: 'success' | 'answer'
  readonly run: 'cron' | 'update'
}

/** An action with all defaults. */
export interface Action<Row = AnyRow> extends ActionSlots<Row, Values> {
  readonly name: string
  readonly resource: ResourceName
  readonly on: 'none' | 'one' | 'many'
  readonly scope: Scope | null
  readonly icon: IconName
  readonly key: { readonly web: string | null; readonly tui: string | null }
  readonly args: Arguments | null
  /** `args` must be valid. */
  run(context: ActionContext, rows: readonly Row[], args?: Values): Promise<Outcome>
}

/** Types a definition by its row and arguments. The result keeps whether it has arguments and a call. */
export function defineAction<Row>(): <I extends z.ZodObject, D extends object>(
  definition: ActionDefinition<Row, I> & D,
) => ActionDefinition<Row> & Pick<D, keyof D & ('args' | 'wire')> {
  return (definition) => definition as never
}
