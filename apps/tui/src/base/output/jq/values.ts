import { AppError } from '@qd/core/errors'

/** A JSON object as filters see it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The name of a value's type in the filter language. */
export function typeOf(value: unknown): 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as 'boolean' | 'number' | 'string' | 'object'
}

/** The failure of a filter on a value it does not fit, e.g. `.name` on a number; `try` and `?` take it away. */
export function cannot(part: string, value: unknown): AppError {
  return new AppError('usage', { reason: 'filterFailed', part, type: typeOf(value) })
}

/** True for the failure of a filter. */
export function isFilterFailure(thrown: unknown): thrown is AppError {
  return thrown instanceof AppError && thrown.params.reason === 'filterFailed'
}

/** An object, or the failure of `part`. */
export function asObject(value: unknown, part: string): JsonObject {
  if (typeOf(value) !== 'object') throw cannot(part, value)
  return value as JsonObject
}

/** An array, or the failure of `part`. */
export function asList(value: unknown, part: string): readonly unknown[] {
  if (!Array.isArray(value)) throw cannot(part, value)
  return value
}

/** A text, or the failure of `part`. */
export function asText(value: unknown, part: string): string {
  if (typeof value !== 'string') throw cannot(part, value)
  return value
}

/** A number, or the failure of `part`. */
export function asNumber(value: unknown, part: string): number {
  if (typeof value !== 'number') throw cannot(part, value)
  return value
}

/** The text of a value: a string as it is, anything else as JSON. */
export function textFrom(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** Only false and null are not true. */
export function isTrue(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined
}

const ranks = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

/** The order of all values: null, false, true, numbers, strings, arrays, objects. Below 0 where `a` is first. */
export function compare(a: unknown, b: unknown): number {
  const byType = ranks.indexOf(typeOf(a)) - ranks.indexOf(typeOf(b))
  if (byType !== 0) return byType
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b)
  if (typeof a === 'string') return a < (b as string) ? -1 : Number(a !== b)
  if (Array.isArray(a)) return compareLists(a, b as unknown[])
  if (typeOf(a) === 'null') return 0
  const [one, two] = [a as JsonObject, b as JsonObject]
  const keys = Object.keys(one).sort()
  const others = Object.keys(two).sort()
  return (
    compareLists(keys, others) ||
    compareLists(
      keys.map((key) => one[key]),
      others.map((key) => two[key]),
    )
  )
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const differing = a.findIndex((value, index) => index >= b.length || compare(value, b[index]) !== 0)
  if (differing < 0) return a.length - b.length
  return differing >= b.length ? 1 : compare(a[differing], b[differing])
}
