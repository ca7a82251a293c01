import type { Field, FieldKind } from '@qd/core/define'
import { machineValue, plainText } from '@qd/core/fields'

/** Kinds that make no column of a printed table. */
const withoutColumn: readonly FieldKind[] = ['trend', 'days', 'part']

/** True for fields that a printed table can show. */
export function isPrinted({ kind }: Field): boolean {
  return !withoutColumn.includes(kind)
}

/** A value as one word or line for programs: RFC 3339, plain numbers, option names; null if nothing is known. */
export function machineText(field: Field, value: unknown): string | null {
  return textOf(machineValue(field, value))
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((item) => textOf(item) ?? '').join(',')
  if (typeof value === 'number') return String(Number(value.toFixed(6)))
  return typeof value === 'object' ? plainText(JSON.stringify(value)) : String(value)
}
