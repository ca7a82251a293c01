import type * as z from 'zod'
import type { Problem } from '../errors.ts'
import type { Audience, Scope } from './access.ts'
import type { Action, ActionDefinition, ActionWire, StandardName } from './action.ts'
import type { Detail, DetailDefinition } from './detail.ts'
import type { DerivedField, Field, FieldFor, FieldKind, Show, TargetSelection } from './fields.ts'
import type { Arguments, FormDefinition, FormShape, Values } from './form-shape.ts'
import type { HostSource } from './host.ts'
import type { IconName, ResourceName } from './names.ts'
import { plainText } from './plain-text.ts'
import type { SayContext, ServerCheck } from './report.ts'
import type { AnyRow, View } from './row.ts'
import type { When } from './when.ts'
import type { Call, Verb, Wire, WireDefinition } from './wire.ts'

/** Resources whose lists share a tab (product spec, section 1). */
export type Family = 'task' | 'notification' | 'group' | 'host' | 'setting'

export interface Figure {
  kind: FieldKind
  value: unknown
}

/** `name`: one of the resource’s `states`. */
export interface StateText {
  name: string
  params: Readonly<Record<string, Figure>>
}

/** The state of a record: its choice field, the cause beside its title, and the sentence in place of live metrics. */
export interface RowState<Row> {
  field: keyof Row & string
  /** Names that `cause`, `absence`, `planned` and `counted` use; texts at `resources.<name>.states.<state>`. */
  states: readonly string[]
  cause(row: Row, view: View): StateText | null
  absence(row: Row, view: View): StateText | null
  /** A planned interruption. */
  planned?(row: Row, view: View): StateText | null
}

export type Shape = z.core.$ZodLooseShape
/** Written fields plus those that the server adds. */
export type RecordOf<I extends z.ZodObject, A extends Shape> = Written<I> & z.output<z.ZodObject<A>>
/** An empty input’s inferred type would forbid every field. */
type Written<I extends z.ZodObject> = string extends keyof z.output<I> ? unknown : z.output<I>

type Full<I extends z.ZodObject, A extends Shape, D extends string> = RecordOf<I, A> & { readonly [K in D]: unknown }

/** Optional parts of a definition; the defaults are `false`, nothing or null. */
export interface Slots<Row, F extends string, Input> {
  /** Chord that opens the list, such as `g t`. */
  readonly go: string | null
  /** English synonyms of the page. */
  readonly aliases: readonly string[]
  /** Labels at `resources.<name>.presets.<preset>`. */
  readonly presets: Readonly<Record<string, Partial<Input>>>
  /** Searched besides title and ID (behavior P-06). */
  readonly search: readonly F[]
  readonly facet: F | null
  /** A flag counted beside the facets. */
  readonly counted: F | null
  /**
   * Fields of which a wrong value can shut out whoever sets it (behaviour D6). A server with the capability takes them back unless the call comes,
   * which shows that the person still gets in.
   */
  readonly trial: { readonly capability: string; readonly call: Call; readonly fields: readonly F[] } | null
  /** Identifies a record on other servers, whatever its name there. */
  readonly identity: F | null
  /** A name on the command line means all records with that title. */
  readonly together: boolean
  /** Has numbered pages (product spec 2) instead of endless scrolling. */
  readonly pages: boolean
  /** The servers that it acts on. */
  readonly targets: ((row: Row) => TargetSelection) | null
  /** The servers that an API token limited to some must cover. Default: `targets`; without either, such a token can’t change records. */
  readonly about: ((row: Row) => TargetSelection) | null
  /** If this holds and no server is a target, the record does nothing, and forms say so. */
  readonly idle: When<Row> | null
  /** The input that targets exactly these servers (behavior N-03). */
  readonly withTargets: ((values: Values, servers: readonly number[]) => Values) | null
  /** Problems that depend on the stored record (null: new): stored values of older versions stay, new ones are refused. */
  readonly validate: ((input: Input, stored: Values | null) => readonly Problem[]) | null
  /** Number of records by entity that are deleted too. */
  readonly owned: ((row: Row) => Readonly<Partial<Record<ResourceName, number>>>) | null
  /** Shares a tab (`ui.families.<family>`). */
  readonly family: Family | null
  /** The tab has its own name, at `resources.<name>.tab`. */
  readonly tab: boolean
  /** `menu`: the account menu. */
  readonly place: 'tab' | 'menu'
  /** A required capability. */
  readonly requires: string | null
  /** Not for API tokens (contract http-api 2.6). */
  readonly needsSession: boolean
  /** Verbs that require a recent password (behavior R-12). */
  readonly stepUp: readonly Verb[]
  /** CLI words that differ from `<resource> <action>` (decisions.md, "Words"). */
  readonly cli: Readonly<Record<string, string>>
  /** The effect of typed values; titled `resources.<name>.preview`. */
  readonly preview: ((values: Values, context: SayContext) => readonly string[]) | null
  readonly serverChecks: Readonly<Record<string, ServerCheck>>
  /** For records on hosts. */
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
  /** The field that names a record. */
  title?: (keyof RecordOf<I, A> & string) | NoInfer<D>
  path?: string
  /** Strict and lazy. */
  input?: () => I
  /** Fields that only the server writes. */
  added: () => A
  initial?: Partial<z.output<I>>
  fields: { [K in keyof RecordOf<I, A> & string]: FieldFor<RecordOf<I, A>[K]> }
  /** Computed values; never on the wire. */
  derived?: { [K in D]: DerivedField<RecordOf<I, A>> }
  /** The columns of its list, in order. */
  columns: readonly ((keyof RecordOf<I, A> & string) | NoInfer<D>)[]
  /** `ties`: orders equal rows by a field or `id` (default: by title). */
  sort?: {
    field: (keyof RecordOf<I, A> & string) | NoInfer<D>
    order: 'asc' | 'desc'
    ties?: 'id' | (keyof RecordOf<I, A> & string) | NoInfer<D>
  }
  form?: FormDefinition<RecordOf<I, A>>
  scopes: Resource['scopes']
  audience?: Partial<Resource['audience']>
  wire?: W & WireDefinition
  /** Own actions, and additions to standard ones. */
  actions?: X & {
    [K in keyof X]: K extends StandardName ? Limited<Full<I, A, NoInfer<D>>> : ActionDefinition<Full<I, A, NoInfer<D>>>
  }
  /** Default: facts and long texts. */
  detail?: DetailDefinition<(keyof RecordOf<I, A> & string) | NoInfer<D>>
  /** Enter opens the detail page (default: the edit form if there is one). */
  open?: 'detail'
  state?: RowState<Full<I, A, NoInfer<D>>>
}

export type Limited<Row> = Pick<ActionDefinition<Row>, 'blocked' | 'warn' | 'typed' | 'capability'>

export interface Resource<Row extends AnyRow = AnyRow> extends FormShape, Slots<AnyRow, string, Values> {
  readonly name: ResourceName
  readonly icon: IconName
  readonly title: string
  readonly path: string
  /** Includes derived fields. */
  readonly fields: Readonly<Record<string, Field>>
  readonly derived: Readonly<Record<string, (row: AnyRow, view: View) => unknown>>
  readonly columns: readonly { readonly field: string; readonly show: Show; readonly live: boolean }[]
  readonly sort: { readonly field: string; readonly order: 'asc' | 'desc'; readonly ties?: string }
  readonly scopes: { readonly read: Scope | null; readonly write: Scope | null; readonly remove: Scope | null }
  readonly audience: { readonly read: Audience; readonly write: Audience }
  readonly wire: Wire
  readonly state: RowState<AnyRow> | null
  readonly detail: Detail
  /** Tolerant: missing values become the kind’s zero. */
  readonly read: z.ZodType<Row>
  /** In menu order. */
  readonly actions: Readonly<Record<string, Action>>
}

/** Whether the server supports a field. */
export function isSupported(field: Pick<Field, 'requires'> | undefined, { supports }: Pick<View, 'supports'>): boolean {
  return field?.requires === undefined || supports === undefined || supports(field.requires)
}

/** Null if the server doesn’t support the field. */
export function fieldValue(
  resource: Partial<Pick<Resource, 'derived' | 'fields'>>,
  row: AnyRow,
  field: string,
  view: View,
): unknown {
  return fieldReader(resource, field, view)(row)
}

/** Reads a field of many rows. */
export function fieldReader(
  resource: Partial<Pick<Resource, 'derived' | 'fields'>>,
  field: string,
  view: View,
): (row: AnyRow) => unknown {
  if (!isSupported(resource.fields?.[field], view)) return () => null
  const derive = resource.derived?.[field]
  return derive ? (row) => derive(row, view) : (row) => row[field]
}

/** Derives fields on access, because conditions need few of them. */
export function deriving(resource: Pick<Resource, 'derived'>, row: AnyRow, view: View): AnyRow {
  const { derived } = resource
  return new Proxy(row, { get: (stored, field: string) => fieldValue({ derived }, stored, field, view) })
}

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

/** A record’s title without control characters (S-40), or `#id`. */
export function titleOf(resource: Resource, row: AnyRow): string {
  // A derived title needs only the record itself (a session’s device).
  const title = row[resource.title] ?? resource.derived[resource.title]?.(row, nothingKnown)
  return typeof title === 'string' && title !== '' ? plainText(title) : `#${row.id}`
}

/** A typed resource: name, input, rows, fields and actions. */
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

/** Throws for an action without arguments. */
export function argumentsOf(resource: Pick<Resource, 'name' | 'actions'>, action: string): NonNullable<Action['args']> {
  const { args } = actionOf(resource, action)
  if (!args) throw new Error(`${resource.name} ${action} takes no arguments`)
  return args
}

export type InputOf<R extends { readonly input: z.ZodObject }> = z.output<R['input']>
