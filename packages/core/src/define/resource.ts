import type * as z from 'zod'
import type { Problem } from '../errors/index.ts'
import type { Audience, Scope } from './access.ts'
import type { Action, ActionDefinition, ActionWire, StandardName } from './action.ts'
import type { Detail, DetailDefinition } from './detail.ts'
import type { DerivedField, Field, FieldFor, FieldKind, Reach, Show } from './fields.ts'
import type { Arguments, FormDefinition, FormShape, Values } from './form-shape.ts'
import type { HostSource } from './host.ts'
import type { IconName, ResourceName } from './names.ts'
import { plainText } from './plain-text.ts'
import type { SayContext, Trial } from './report.ts'
import type { AnyRow, View } from './row.ts'
import type { When } from './when.ts'
import type { Call, Verb, Wire, WireDefinition } from './wire.ts'

/** Resources whose lists stand side by side (product spec, section 1). */
export type Family = 'task' | 'notification' | 'group' | 'setting'

/** A value with the kind that says how to show it, for sentences about a record. */
export interface Figure {
  kind: FieldKind
  value: unknown
}

/** A sentence about one record: its name among the resource's `states`, and the values it names. */
export interface StateText {
  name: string
  params: Readonly<Record<string, Figure>>
}

/** How a record stands: the choice field that says it, the cause beside its title, and the sentence that stands in for missing live figures. */
export interface RowState<Row> {
  field: keyof Row & string
  /** Every name that `cause`, `absence` and `planned` may answer, and the word of `counted`; texts at `resources.<name>.states.<state>`. */
  states: readonly string[]
  cause(row: Row, view: View): StateText | null
  absence(row: Row, view: View): StateText | null
  /** That something is planned for it now, so that what is wrong with it is no surprise. */
  planned?(row: Row, view: View): StateText | null
}

export type Shape = z.core.$ZodLooseShape
/** The record: what may be written plus what the server adds. */
export type RecordOf<I extends z.ZodObject, A extends Shape> = Written<I> & z.output<z.ZodObject<A>>
/** Nothing for an empty input, whose inferred type would forbid every field. */
type Written<I extends z.ZodObject> = string extends keyof z.output<I> ? unknown : z.output<I>

type Full<I extends z.ZodObject, A extends Shape, D extends string> = RecordOf<I, A> & { readonly [K in D]: unknown }

/**
 * What a definition may leave out, with `false`, nothing or null as its default. `Row`: the record; `F`: its fields and derived ones; `Input`:
 * valid values of its form.
 */
export interface Slots<Row, F extends string, Input> {
  /** Two-key sequence that goes to its list, e.g. `g t`. */
  readonly go: string | null
  /** English words that also find its page; the words of its fields and of its facet find it too. */
  readonly aliases: readonly string[]
  /** Starting points of a new record; labels at `resources.<name>.presets.<preset>`. */
  readonly presets: Readonly<Record<string, Partial<Input>>>
  /** Fields searched besides name and id (behaviour P-06). */
  readonly search: readonly F[]
  /** A choice field shown as facets above the list. */
  readonly facet: F | null
  /** A flag that is counted beside the facets while a record has it. */
  readonly counted: F | null
  /**
   * Fields of which a wrong value can shut out whoever sets it (behaviour D6). A server with the capability takes them back unless the call comes,
   * which shows that the person still gets in.
   */
  readonly trial: { readonly capability: string; readonly call: Call; readonly fields: readonly F[] } | null
  /** The field by which a record is the same on another server, whatever its name there. */
  readonly identity: F | null
  /** Records with one title are one thing to a person: a name on the command line means all of them. */
  readonly together: boolean
  /** Its list stands in pages with a number in the address (product spec 2) instead of scrolling on. */
  readonly pages: boolean
  /** Which servers the record as typed will reach; shown in form, confirm and dry run. */
  readonly reach: ((row: Row) => Reach) | null
  /** If this holds, a record that reaches no server does nothing, and forms say so before it is saved. */
  readonly idle: When<Row> | null
  /** The inputs that make a record of these values reach exactly these servers (behaviour N-03). Pure. */
  readonly withTargets: ((values: Values, servers: readonly number[]) => Values) | null
  /** What is wrong with valid input that depends on what is stored (null: new): a stored value of an older version may stay, a new one is refused. Pure. */
  readonly check: ((input: Input, stored: Values | null) => readonly Problem[]) | null
  /** How many records of which entity are deleted with one. Pure. */
  readonly owned: ((row: Row) => Readonly<Partial<Record<ResourceName, number>>>) | null
  /** Shares one tab with the others of its family (`ui.families.<family>`) instead of a tab of its own. */
  readonly family: Family | null
  /** Its tab has a name of its own, at `resources.<name>.tab`, instead of what one record is called. */
  readonly tab: boolean
  /** `menu`: its list is in the menu of the account. Default: tab. */
  readonly place: 'tab' | 'menu'
  /** A capability the server must announce for this resource to exist there. */
  readonly requires: string | null
  /** Not for API tokens, only for who signed in (contract http-api 2.6). */
  readonly needsSession: boolean
  /** Verbs that ask for the password again if the last proof is old (behaviour R-12). */
  readonly stepUp: readonly Verb[]
  /** Words after `qd` of actions that do not read `<resource> <action>` there (decisions.md, "Words"). */
  readonly cli: Readonly<Record<string, string>>
  /** What will come of a form's values as typed, in short texts; its heading is at `resources.<name>.preview`. Pure. */
  readonly preview: ((values: Values, context: SayContext) => readonly string[]) | null
  readonly trials: Readonly<Record<string, Trial>>
  /** Its records live on hosts: how they are read there and acted on. */
  readonly host: HostSource | null
}

export interface ResourceDefinition<
  I extends z.ZodObject,
  A extends Shape,
  D extends string,
  X extends object = object,
  W extends WireDefinition = WireDefinition,
> extends Partial<Slots<RecordOf<I, A>, (keyof RecordOf<I, A> & string) | NoInfer<D>, z.output<I>>> {
  name: ResourceName
  icon: IconName
  /** The field a person knows the record by. Default: `name`. */
  title?: (keyof RecordOf<I, A> & string) | NoInfer<D>
  /** Route of the web console. Default: `/dashboard/<name>`. */
  path?: string
  /** What create and edit accept, strict. Made when first asked for. Default: nothing. */
  input?: () => I
  /** What only the server writes. */
  added: () => A
  /** Starting values of a create form. Default of each: its kind's zero. */
  initial?: Partial<z.output<I>>
  /** Kind of every stored field. */
  fields: { [K in keyof RecordOf<I, A> & string]: FieldFor<RecordOf<I, A>[K]> }
  /** Values computed from a record; never on the wire, read like fields everywhere. */
  derived?: { [K in D]: DerivedField<RecordOf<I, A>> }
  /** The columns of its list, in order. */
  columns: readonly ((keyof RecordOf<I, A> & string) | NoInfer<D>)[]
  /** The list's own order. Default: by title. `ties` orders rows that are equal by it: a field, in the same direction, or `id`; otherwise they are ordered by title. */
  sort?: {
    field: (keyof RecordOf<I, A> & string) | NoInfer<D>
    order: 'asc' | 'desc'
    ties?: 'id' | (keyof RecordOf<I, A> & string) | NoInfer<D>
  }
  form?: FormDefinition<RecordOf<I, A>>
  scopes: Resource['scopes']
  /** Default: whoever is signed in. */
  audience?: Partial<Resource['audience']>
  wire?: W & WireDefinition
  /** Its own actions, and what it adds to those that every record has. */
  actions?: X & {
    [K in keyof X]: K extends StandardName ? Limited<Full<I, A, NoInfer<D>>> : ActionDefinition<Full<I, A, NoInfer<D>>>
  }
  /** Its detail page. Default: its facts and long texts. "Used by" ends each by itself. */
  detail?: DetailDefinition<(keyof RecordOf<I, A> & string) | NoInfer<D>>
  /** What Enter does with a row. Default: its edit form where there is one, and the detail page has a key of its own. */
  open?: 'detail'
  state?: RowState<Full<I, A, NoInfer<D>>>
}

/** What a resource may add to an action that every record has. */
export type Limited<Row> = Pick<ActionDefinition<Row>, 'blocked' | 'warn' | 'typed' | 'capability'>

/** A resource as the system runs on it: every default filled once, here. */
export interface Resource<Row extends AnyRow = AnyRow> extends FormShape, Slots<AnyRow, string, Values> {
  readonly name: ResourceName
  readonly icon: IconName
  readonly title: string
  readonly path: string
  /** Stored and derived fields by name; `id`, `created_at` and `updated_at` are stored fields of every resource that sends them. */
  readonly fields: Readonly<Record<string, Field>>
  readonly derived: Readonly<Record<string, (row: AnyRow, view: View) => unknown>>
  readonly columns: readonly { readonly field: string; readonly show: Show; readonly live: boolean }[]
  readonly sort: { readonly field: string; readonly order: 'asc' | 'desc'; readonly ties?: string }
  readonly scopes: { readonly read: Scope | null; readonly write: Scope | null; readonly remove: Scope | null }
  readonly audience: { readonly read: Audience; readonly write: Audience }
  readonly wire: Wire
  readonly state: RowState<AnyRow> | null
  readonly detail: Detail
  /** Tolerant schema of one item of an answer, derived from the field kinds: absent or null becomes the kind's zero. */
  readonly read: z.ZodType<Row>
  /** Standard and own actions by name, in the order menus show them. */
  readonly actions: Readonly<Record<string, Action>>
}

/** Whether the server tells what stands in this field. Pure. */
export function isTold(field: Pick<Field, 'requires'> | undefined, { supports }: Pick<View, 'supports'>): boolean {
  return field?.requires === undefined || supports === undefined || supports(field.requires)
}

/** The value of any field of a row, derived or stored; null where the server does not tell it. Pure. */
export function fieldValue(
  resource: Partial<Pick<Resource, 'derived' | 'fields'>>,
  row: AnyRow,
  field: string,
  view: View,
): unknown {
  if (!isTold(resource.fields?.[field], view)) return null
  const derive = resource.derived?.[field]
  return derive ? derive(row, view) : row[field]
}

/** A row that derives a field when it is asked for it, for conditions: they ask for few. Only to read, while the row stays as it is. */
export function deriving(resource: Pick<Resource, 'derived'>, row: AnyRow, view: View): AnyRow {
  const { derived } = resource
  return new Proxy(row, { get: (stored, field: string) => fieldValue({ derived }, stored, field, view) })
}

/** A row with its derived fields filled in, for output. A copy. */
export function withDerived(resource: Resource, row: AnyRow, view: View): AnyRow {
  const values = Object.entries(resource.derived).map(([field, derive]) => [field, derive(row, view)])
  return { ...row, ...Object.fromEntries(values) }
}

const nothingKnown: View = {
  now: 0,
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
}

/** The text a person knows the record by, without power over where it is shown (S-40); `#id` where it has none. */
export function titleOf(resource: Resource, row: AnyRow): string {
  // A title that is made of other fields needs only the record itself (a session's device).
  const title = row[resource.title] ?? resource.derived[resource.title]?.(row, nothingKnown)
  return typeof title === 'string' && title !== '' ? plainText(title) : `#${row.id}`
}

/** A resource with what its definition says in types: its name, input, rows, and the names of its fields and actions. */
export type Defined<
  N extends ResourceName,
  I extends z.ZodObject,
  A extends Shape,
  D extends string,
  X extends object,
  W extends WireDefinition,
> = Omit<Resource<RecordOf<I, A> & AnyRow>, 'name' | 'input'> & {
  readonly name: N
  readonly input: I
  readonly fields: Readonly<Record<(keyof RecordOf<I, A> & string) | D, Field>>
  readonly actions: { readonly [K in StandardOf<W>]: Action } & {
    readonly [K in Exclude<keyof X, StandardName>]: Action & Has<X[K]>
  }
}

type StandardOf<W extends WireDefinition> =
  | (W extends { shape: 'one' } ? never : 'open' | 'copy-id')
  | (W extends { verbs: readonly (infer V)[] } ? OfVerb<V> : OfVerb<Verb>)
type OfVerb<V> = V extends 'create' ? 'create' | 'duplicate' : V extends 'edit' | 'delete' ? V : never

type Has<D> = (D extends { args: object } ? { readonly args: Arguments } : unknown) &
  (D extends { wire: object } ? { readonly wire: ActionWire } : unknown)

export function actionOf({ name, actions }: Pick<Resource, 'name' | 'actions'>, action: string): Action {
  const found = actions[action]
  if (!found) throw new Error(`${name} has no action “${action}”`)
  return found
}

/** The form of an action's arguments. Throws for an action without one. */
export function argumentsOf(resource: Pick<Resource, 'name' | 'actions'>, action: string): NonNullable<Action['args']> {
  const { args } = actionOf(resource, action)
  if (!args) throw new Error(`${resource.name} ${action} takes no arguments`)
  return args
}

export type InputOf<R extends { readonly input: z.ZodObject }> = z.output<R['input']>
