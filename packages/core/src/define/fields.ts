import type * as z from 'zod'
import type { ResourceName, Tone } from './names.ts'
import type { AnyRow, Trend, View } from './row.ts'
import type { When } from './when.ts'

/**
 * Field kinds and their value types. Each front end handles every kind at compile time. `duration` in seconds, `bytes` in bytes, `rate` in bytes
 * per second, `percent` 0 to 100, `instant` RFC 3339 or null for never. Number kinds and flags are null if unknown, shown as "no data" rather than 0 or no.
 * `days`: uptime in percent of 30 days, today last, -1 without data. `secret`: empty keeps the stored one, null clears it; responses are always
 * empty.
 */
export interface KindValue {
  text: string
  note: string
  secret: string | null
  command: string
  schedule: string
  address: string
  version: string
  number: number | null
  duration: number | null
  bytes: number | null
  rate: number | null
  percent: number | null
  trend: Trend
  flag: boolean | null
  choice: number | string
  ref: number
  refs: readonly number[]
  list: readonly string[]
  'id-map': Readonly<Record<string, readonly string[]>>
  instant: string | null
  targets: TargetSelection
  rules: readonly RuleCondition[]
  days: readonly number[]
  reading: Reading | null
  part: unknown
}

/** The servers that a record selects as targets, regardless of owners and state. `alert`: only the server that raised the alert. */
export interface TargetSelection {
  mode: 'only' | 'except' | 'alert'
  servers: readonly number[]
}

export type FieldKind = keyof KindValue

/** A secret is a text that contains secrets, or headers whose values are secrets except for common ones. */
export type Masking = 'text' | 'headers'

export type NumberUnit = 'ms' | 'percent'

/**
 * A text that replaces an option’s, with numbers of the record, at `resources.<name>.counted.<field>.<text>`. `of` returns null if the option
 * says it all.
 */
export interface Counted {
  readonly texts: readonly string[]
  of(row: AnyRow): { readonly text: string; readonly params: Readonly<Record<string, number>> } | null
}

export interface KindOptions {
  /**
   * Names are option keys in texts, forms and CLI. `words`: options are bare words of queries. `queryWords`: displayed in queries in place of a
   * name, which stays valid. `covers`: other options that a query for this one includes.
   */
  choice: {
    options: Readonly<Record<string, number | string>>
    tones?: Readonly<Record<string, Tone>>
    words?: true
    queryWords?: Readonly<Record<string, string>>
    covers?: Readonly<Record<string, readonly string[]>>
    counted?: Counted
  }
  /** `presets` in seconds. */
  duration: { presets?: readonly number[] }
  /** `since`: the field with the start of intervals. */
  schedule: { since?: string }
  ref: { to: ResourceName }
  refs: { to: ResourceName }
  'id-map': { to: ResourceName }
  /** `code`: stands for something, such as a port, so its digits aren’t grouped. */
  number: { min?: number; max?: number; digits?: number; unit?: NumberUnit; code?: true }
  /** `own`: has its own scale instead of 0 to 100. */
  trend: { own?: true }
  /** `on` and `off`: the actions of its switch in a list (P-22). */
  flag: { switch?: { on: string; off: string } }
  /** `after`: the field from which a typed `+2h` counts. */
  instant: { after?: string }
  /**
   * `needed`: required. `has`: the flag for a stored secret. `lines`: multiline. `template`: may contain placeholders. `password`: of the user
   * at the form, so never stored. `masked`: the field with the stored text whose secrets are masked, and how.
   */
  secret: {
    needed?: true
    has?: string
    lines?: true
    template?: true
    password?: 'current' | 'new'
    masked?: { field: string; as: Masking }
  }
  /** `options`: the only allowed texts. `map`: items are names, `name=no` for an excluded one, or a JSON object. */
  /** `words`: text keys for an option, in sequence. */
  list: { options?: readonly string[]; words?: (option: string) => readonly string[]; map?: true }
  /** `plan`: shows a plan (N-24) in words instead of JSON. */
  note: { plan?: true }
  /** A nested object, read by derived fields; never a column or an input. */
  part: { schema: () => z.ZodType }
}

/** How wide a surface must be to show a column: `always` on a phone and at 80 columns, `wide` with room, `detail` only in an open record. */
export type Show = 'always' | 'normal' | 'wide' | 'detail'

export interface FieldCommon {
  /** Other names in queries and CLI flags. */
  aliases?: readonly string[]
  /** Has help at `resources.<name>.help.<field>`. */
  help?: true
  /** Has a short label at `resources.<name>.short.<field>`. */
  short?: true
  /** Has a flag description at `resources.<name>.flags.<field>`. */
  flag?: true
  /** Limits for tones (looks/tokens.md 6); downwards if `bad` is smaller. */
  limits?: { warn: number; bad: number }
  /** If this holds, there is no value, but the text at `resources.<name>.absent.<field>`. */
  absentWhen?: When<AnyRow>
  /** If this holds, the viewer can’t know the value, and sees the text at `resources.<name>.withheld.<field>`. */
  withheldWhen?: When<AnyRow>
  /** Controls how a record is saved, so only forms and flags have it. */
  formOnly?: true | { readonly inFiles: unknown }
  /** Where its column is shown. Default: `normal`. */
  show?: Show
  /** Takes the whole width of a form. */
  wide?: true
  /** Reported from minute to minute: its column gives way to the sentence of a record without data, and a query that records follow cannot ask for it. */
  live?: true
  /** Hosts are read for it only while a client asks (`askHosts`). */
  asked?: true
  /** A required capability; without it the field is null and hidden everywhere. */
  requires?: string
  /** Stored only (a reference to an entity of a later version). */
  hidden?: true
}

type OptionsOf<K extends FieldKind> = K extends keyof KindOptions ? KindOptions[K] : unknown

export type KindFor<V> = { [K in FieldKind]: [V] extends [KindValue[K]] ? K : never }[FieldKind]

export type FieldFor<V> = { [K in KindFor<V>]: { kind: K } & OptionsOf<K> & FieldCommon }[KindFor<V>]

export type DerivedField<Row> = {
  [K in FieldKind]: { kind: K } & OptionsOf<K> & FieldCommon & { from(row: Row, view: View): KindValue[K] }
}[FieldKind]

/** Options whose values are their names. */
export function namedOptions<Name extends string>(...names: readonly Name[]): { readonly [N in Name]: N } {
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [N in Name]: N }
}

/** Narrow by `kind` to access the kind’s options. */
export type Field = { [K in FieldKind]: { kind: K } & OptionsOf<K> & FieldCommon }[FieldKind]

/** Null for an unknown option. */
export function optionName(
  field: { options: Readonly<Record<string, number | string>> },
  value: unknown,
): string | null {
  return Object.keys(field.options).find((name) => field.options[name] === value) ?? null
}

/** Words for an option in a query: the displayed one, then the name if it differs. */
export function queryWords({ queryWords = {} }: KindOptions['choice'], option: string): readonly string[] {
  const word = queryWords[option]
  return word === undefined ? [option] : [word, option]
}

/** Source: contract http-api 4.9. `duration` counts samples of 3 s. */
export interface RuleCondition {
  readonly type: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly duration?: number | undefined
  readonly cycle_start?: string | null | undefined
  readonly cycle_interval?: number | undefined
  readonly cycle_unit?: string | undefined
  /** 0: all servers except those of `ignore`; 1: only those. */
  readonly cover: number
  readonly ignore?: Readonly<Record<string, boolean>> | undefined
}

/** `metric` is a type of condition, or a monitor’s. Null if unknown. */
export interface Reading {
  readonly metric: string
  readonly value: number | null
  readonly limit: number | null
}
