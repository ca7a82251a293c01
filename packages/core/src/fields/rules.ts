import type { AnyRow, Field, FieldKind, KindValue, TargetSelection, Tone, View } from '../define/index.ts'
import type { ErrorParams, Problem } from '../errors.ts'
import type { Format, Translator } from '../i18n/index.ts'

export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>

/** Null if unknown, which comes last in both directions. */
export type SortKey = string | number | null

export interface Shown {
  /** One line, with its unit unless the column’s head has it. Control characters are escaped. */
  text: string
  tone: Tone
  /** More than fits the line: for a tooltip or detail panel. */
  full?: string
  /** `text` in two parts, for surfaces with small units. */
  number?: string
  unit?: string
}

export interface Presented extends Shown {
  sort: SortKey
}

export interface PresentContext {
  readonly resource: { readonly name: string }
  readonly fieldName: string
  /** Absent for a value without a record. */
  readonly row?: AnyRow
  readonly translator: Translator
  readonly format: Format
  readonly view: View
  /** Such as "All servers except 3 (117), 4 offline"; supplied by `core/view`, which knows the targets. */
  targetsText(targets: TargetSelection): string
}

export interface ParseContext {
  readonly fieldName: string
  readonly view: View
  /** What a time like `+2h` counts from, in epoch ms (default now). */
  readonly from?: number | undefined
}

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem }

/** Everything that can be done with values of one kind. */
export interface Rules<F, Value> {
  present(field: F, value: Value, context: PresentContext): Shown
  /** From the raw value: cheap, and independent of the language. */
  sort(field: F, value: Value, view: View): SortKey
  /** Parses a form’s text or a CLI flag. */
  parse(field: F, text: string, context: ParseContext): Parsed
  input(field: F, value: Value, context: ParseContext): string
  /** The value for `--json`: times in UTC, percent from 0 to 100, options by name. */
  machine(field: F, value: Value): unknown
}

export type KindRules<K extends FieldKind> = Rules<FieldOf<K>, KindValue[K]>

export function good(value: unknown): Parsed {
  return { ok: true, value }
}

export function bad(context: ParseContext, code: Problem['code'], params?: Problem['params']): Parsed {
  return { ok: false, problem: { field: context.fieldName, code, ...(params ? { params: inShort(params) } : {}) } }
}

const longestRepeated = 200

function inShort(params: ErrorParams): ErrorParams {
  const entries = Object.entries(params).map(([name, value]) => {
    const isLong = typeof value === 'string' && value.length > longestRepeated
    return [name, isLong ? `${value.slice(0, longestRepeated)}…` : value]
  })
  return Object.fromEntries(entries)
}

/** Missing values are words, never a dash, zero or blank. */
export function nothing({ translator }: PresentContext, word: 'none' | 'noData' | 'never' | 'notSet'): Shown {
  return { text: translator.t(`ui.value.${word}`), tone: 'muted' }
}

/** The rules of kinds that people see and never type. */
export const shownOnly = {
  parse: (_field: unknown, _text: string, context: ParseContext) => bad(context, 'wrong'),
  input: () => '',
}
