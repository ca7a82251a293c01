import type * as z from 'zod'
import type { ResourceName, Tone } from './names.ts'
import type { AnyRow, Trend, View } from './row.ts'
import type { When } from './when.ts'

/**
 * Field kinds and the type of value each holds in a record. A closed set: each front end answers every kind at compile time.
 * Units: `duration` seconds, `bytes` bytes, `rate` bytes per second, `percent` 0 to 100, `instant` RFC 3339 text or null for never.
 * A number kind holds null if nothing is known, which is shown as "no data" and never as 0. `days`: 30 numbers, percent up of
 * each day, today last, -1 without data. `secret`: empty keeps what is stored, null clears it; answers are always empty.
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
  flag: boolean
  choice: number | string
  ref: number
  refs: readonly number[]
  list: readonly string[]
  'id-map': Readonly<Record<string, readonly string[]>>
  instant: string | null
  reach: Reach
  rules: readonly RuleCondition[]
  days: readonly number[]
  reading: Reading | null
  part: unknown
}

/** Which servers a record reaches, before owners and offline ones are looked at. `alert`: only the server that raised the alert. */
export interface Reach {
  mode: 'only' | 'except' | 'alert'
  servers: readonly number[]
}

export type FieldKind = keyof KindValue

/** What a stored secret holds: a text with secrets somewhere in it, or headers, of which all values but usual ones are secrets. */
export type Masking = 'text' | 'headers'

export type NumberUnit = 'ms' | 'percent'

/**
 * What says more of a choice than its word, with figures of the record: one of `texts`, at `resources.<name>.counted.<field>.<text>`.
 * `of` answers null where the word says all, and is pure.
 */
export interface Counted {
  readonly texts: readonly string[]
  of(row: AnyRow): { readonly text: string; readonly params: Readonly<Record<string, number>> } | null
}

/** What a kind needs to know beyond its name. */
export interface KindOptions {
  /** Named constants over the wire's values; the names are option keys in texts, forms and CLI. `words`: they are bare words of the query language. `queryWords`: the words that queries show for some options in place of their names, which stay valid. `covers`: who asks for an option also means these others. */
  choice: {
    options: Readonly<Record<string, number | string>>
    tones?: Readonly<Record<string, Tone>>
    words?: true
    queryWords?: Readonly<Record<string, string>>
    covers?: Readonly<Record<string, readonly string[]>>
    counted?: Counted
  }
  /** `presets`: seconds that are offered to choose from. */
  duration: { presets?: readonly number[] }
  /** `since`: the field that says since when an interval counts. */
  schedule: { since?: string }
  ref: { to: ResourceName }
  refs: { to: ResourceName }
  'id-map': { to: ResourceName }
  number: { min?: number; max?: number; digits?: number; unit?: NumberUnit }
  /** `own`: drawn on a scale of its own instead of 0 to 100. */
  trend: { own?: true }
  /** `on` and `off` name the actions that turn it in a list (P-22). */
  flag: { switch?: { on: string; off: string } }
  /** `after`: the field whose time a typed `+2h` counts from, where it has one. */
  instant: { after?: string }
  /** `needed`: a record cannot go without; `has`: the flag that says whether one is stored; `lines`: several lines; `template`: it may hold placeholders; `password`: one of the person at the form, so nothing stored is kept; `masked`: the field in which the server answers the stored text with the secrets in it hidden, and how it finds them. */
  secret: {
    needed?: true
    has?: string
    lines?: true
    template?: true
    password?: 'current' | 'new'
    masked?: { field: string; as: Masking }
  }
  /** `options`: the only texts it may hold, the same in every language; `map`: its items are names, `name=no` one that does not count, and a JSON object says the same. */
  /** `words`: keys of the texts that say an option, one behind the other. */
  list: { options?: readonly string[]; words?: (option: string) => readonly string[]; map?: true }
  /** `plan`: a note that may hold a plan (N-24) is shown by what it says instead of as JSON. */
  note: { plan?: true }
  /** An object inside the record with a read schema of its own; never a column or an input, derived fields read from it. */
  part: { schema: () => z.ZodType }
}

/** How wide a surface must be to show a column: `always` on a phone and at 80 columns, `wide` with room, `detail` only in an open record. */
export type Show = 'always' | 'normal' | 'wide' | 'detail'

/** What any field may say, whatever its kind. */
export interface FieldCommon {
  /** Other words for it in the selection language and as a CLI flag, besides its name. */
  aliases?: readonly string[]
  /** Its form label has a line of help at `resources.<name>.help.<field>`. */
  help?: true
  /** Where there is little room its label is the short one at `resources.<name>.short.<field>`. */
  short?: true
  /** Its flag is explained at `resources.<name>.flags.<field>`, where the label says too little outside of the form. */
  flag?: true
  /** Warning and bad limits; from there the value is toned (looks/tokens.md 6), downwards where `bad` is the smaller. */
  limits?: { warn: number; bad: number }
  /** Where this holds there is no value, and the text at `resources.<name>.absent.<field>` stands in its place. */
  absentWhen?: When<AnyRow>
  /** Where this holds there is a value that this viewer may not know, and the text at `resources.<name>.withheld.<field>` stands in its place. */
  withheldWhen?: When<AnyRow>
  /** Says how to make or change a record, not what it is: asked in forms and by flags, never listed, printed, filtered by or part of machine output. `inFiles`: what it is if a record comes from a file (default: as a form begins). */
  formOnly?: true | { readonly inFiles: unknown }
  /** Where its column is shown. Default: `normal`. */
  show?: Show
  /** Takes the whole width of a form. */
  wide?: true
  /** Reported from minute to minute: its column gives way to the sentence of a record without data, and a query that records follow cannot ask for it. */
  live?: true
  /** The capability without which the server does not tell it: then no form, list, page or selection of the record has it, and it is null. */
  requires?: string
  /** Never listed, printed or searched, only stored (a reference to an entity of a later version). */
  hidden?: true
}

type OptionsOf<K extends FieldKind> = K extends keyof KindOptions ? KindOptions[K] : unknown

export type KindFor<V> = { [K in FieldKind]: [V] extends [KindValue[K]] ? K : never }[FieldKind]

export type FieldFor<V> = { [K in KindFor<V>]: { kind: K } & OptionsOf<K> & FieldCommon }[KindFor<V>]

/** A value computed from a record: its kind, and where it comes from. */
export type DerivedField<Row> = {
  [K in FieldKind]: { kind: K } & OptionsOf<K> & FieldCommon & { from(row: Row, view: View): KindValue[K] }
}[FieldKind]

/** A field definition of any kind, as shared code sees it: narrow by `kind` to reach the kind's options. */
export type Field = { [K in FieldKind]: { kind: K } & OptionsOf<K> & FieldCommon }[FieldKind]

/** The name of a choice's value, or null when the value is not one of its options. */
export function optionName(
  field: { options: Readonly<Record<string, number | string>> },
  value: unknown,
): string | null {
  return Object.keys(field.options).find((name) => field.options[name] === value) ?? null
}

/** Returns the words that mean an option in a query: the one that is shown, then the option's name if it differs. */
export function queryWords({ queryWords = {} }: KindOptions['choice'], option: string): readonly string[] {
  const word = queryWords[option]
  return word === undefined ? [option] : [word, option]
}

/** One condition of an alert rule as the wire has it (contract http-api 4.9); `duration` counts samples of 3 s. */
export interface RuleCondition {
  readonly type: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly duration?: number | undefined
  readonly cycle_start?: string | null | undefined
  readonly cycle_interval?: number | undefined
  readonly cycle_unit?: string | undefined
  /** 0 all servers except those of `ignore`, 1 only those. */
  readonly cover: number
  readonly ignore?: Readonly<Record<string, boolean>> | undefined
}

/** A measured value against its limit; `metric` is a type of condition or one of a monitor's. Null if nothing is known. */
export interface Reading {
  readonly metric: string
  readonly value: number | null
  readonly limit: number | null
}
