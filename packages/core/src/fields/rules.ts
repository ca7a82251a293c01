import type { AnyRow, Field, FieldKind, KindValue, Reach, Tone, View } from '../define/index.ts'
import type { ErrorParams, Problem } from '../errors/index.ts'
import type { Format, Translator } from '../i18n/index.ts'

/** The field definition of one kind. */
export type FieldOf<K extends FieldKind> = Extract<Field, { kind: K }>

/** What a table sorts by; null if nothing is known, which comes last in both directions. */
export type SortKey = string | number | null

/** A value as it is shown. */
export interface Shown {
  /** All of it in one line, with its unit where the column's head does not say the unit. Control characters are escaped. */
  text: string
  tone: Tone
  /** More than fits the line: for a title, a tooltip, a detail panel. */
  full?: string
  /** `text` in two parts, for surfaces that set the unit small. */
  number?: string
  unit?: string
}

/** A value as it is shown, and what it sorts by. */
export interface Presented extends Shown {
  sort: SortKey
}

/** What showing a value may look at. */
export interface PresentContext {
  readonly resource: { readonly name: string }
  readonly fieldName: string
  /** The record that the value is of; absent for a value by itself. */
  readonly row?: AnyRow
  readonly translator: Translator
  readonly format: Format
  readonly view: View
  /** The sentence of a reach, e.g. "All servers except 3 (117), 4 offline"; supplied by `core/view`, which knows the targets. */
  reachText(reach: Reach): string
}

/** What reading a value may look at: references are named by id or by title. */
export interface ParseContext {
  readonly fieldName: string
  readonly view: View
  /** What a time like `+2h` counts from, in epoch ms; default: now. */
  readonly from?: number | undefined
}

/** A value read from text, or what is wrong with the text. */
export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem }

/** All that can be done with values of one type in fields of one type. */
export interface Rules<F, Value> {
  present(field: F, value: Value, context: PresentContext): Shown
  /** From the raw value: cheap, and the same whatever the language. */
  sort(field: F, value: Value, view: View): SortKey
  /** A form's text or a command-line flag to a value. */
  parse(field: F, text: string, context: ParseContext): Parsed
  /** The reverse of `parse`. */
  input(field: F, value: Value, context: ParseContext): string
  /** The value for `--json`: times in UTC, percent from 0 to 100, options by name. */
  machine(field: F, value: Value): unknown
}

/** The rules of a kind. */
export type KindRules<K extends FieldKind> = Rules<FieldOf<K>, KindValue[K]>

/** A value that was read. */
export function good(value: unknown): Parsed {
  return { ok: true, value }
}

/** A refusal of what was typed into this field. */
export function bad(context: ParseContext, code: Problem['code'], params?: Problem['params']): Parsed {
  return { ok: false, problem: { field: context.fieldName, code, ...(params ? { params: inShort(params) } : {}) } }
}

/** More of what was typed is never repeated in a sentence. */
const longestRepeated = 200

function inShort(params: ErrorParams): ErrorParams {
  const entries = Object.entries(params).map(([name, value]) => {
    const isLong = typeof value === 'string' && value.length > longestRepeated
    return [name, isLong ? `${value.slice(0, longestRepeated)}…` : value]
  })
  return Object.fromEntries(entries)
}

/** How nothing is shown: in words, never as a dash, a zero or a blank. */
export function nothing({ translator }: PresentContext, word: 'none' | 'noData' | 'never' | 'notSet'): Shown {
  return { text: translator.t(`ui.value.${word}`), tone: 'muted' }
}
