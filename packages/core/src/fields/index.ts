import type { Field, FieldKind, View } from '../define/index.ts'
import { choiceKinds } from './choices.ts'
import { listKinds } from './lists.ts'
import { monitoringKinds } from './monitoring.ts'
import { numberKinds } from './numbers.ts'
import { referenceKinds } from './references.ts'
import type { KindRules, ParseContext, Parsed, PresentContext, Presented, SortKey } from './rules.ts'
import { textKinds } from './texts.ts'
import { otherKinds } from './times.ts'

export { plainLines, plainText } from '../define/index.ts'
export { optionFlag } from './choices.ts'
export { dayTone } from './day-tone.ts'
export { parseDuration, parseNumber, parseSize } from './numbers.ts'
export * from './piped-input.ts'
export * from './plan-note.ts'
export * from './problems.ts'
export * from './rule-cycles.ts'
export * from './rule-metrics.ts'
export * from './rule-sentence.ts'
export * from './rule-text.ts'
export type { ParseContext, Parsed, PresentContext, Presented, SortKey } from './rules.ts'

const kinds = {
  ...textKinds,
  ...numberKinds,
  ...choiceKinds,
  ...referenceKinds,
  ...listKinds,
  ...otherKinds,
  ...monitoringKinds,
} satisfies {
  [K in FieldKind]: KindRules<K>
}

/** Safe because every row was parsed by the tolerant read schema. */
function rulesOf(field: Field): KindRules<FieldKind> {
  return kinds[field.kind] as KindRules<FieldKind>
}

/** A value for people, with its sort key. */
export function present(field: Field, value: unknown, context: PresentContext): Presented {
  const rules = rulesOf(field)
  return { ...rules.present(field, value as never, context), sort: rules.sort(field, value as never, context.view) }
}

/** A number, text in natural order, or null if unknown. */
export function sortKey(field: Field, value: unknown, view: View): SortKey {
  return value === null ? null : rulesOf(field).sort(field, value as never, view)
}

/** Parses the text of a form’s input or a CLI flag. References are IDs or names, options their names. */
export function parseInput(field: Field, text: string, context: ParseContext): Parsed {
  return rulesOf(field).parse(field, text, context)
}

/** The reverse of `parseInput`. */
export function inputText(field: Field, value: unknown, context: ParseContext): string {
  return rulesOf(field).input(field, value as never, context)
}

/** The value for `--json`: IDs as numbers, times RFC 3339 in UTC, percent from 0 to 100, whole bytes, options by name. */
export function machineValue(field: Field, value: unknown): unknown {
  return rulesOf(field).machine(field, value as never)
}

/** Whether a kind is right-aligned with tabular digits. */
export function isNumeric(kind: FieldKind): boolean {
  return kind in numberKinds && kind !== 'trend'
}
