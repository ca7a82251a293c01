import type { Operator } from './syntax.ts'
import { asNumber, cannot, compare, type JsonObject, typeOf } from './values.ts'

/** An operator that only looks at two values. */
export type ValueOperator = Exclude<Operator, '|' | ',' | '//' | 'and' | 'or'>

/** What each such operator answers. Errors: the failure of a filter. */
export const valueOperators: Readonly<Record<ValueOperator, (left: unknown, right: unknown) => unknown>> = {
  '==': (left, right) => compare(left, right) === 0,
  '!=': (left, right) => compare(left, right) !== 0,
  '<': (left, right) => compare(left, right) < 0,
  '<=': (left, right) => compare(left, right) <= 0,
  '>': (left, right) => compare(left, right) > 0,
  '>=': (left, right) => compare(left, right) >= 0,
  '+': add,
  '-'(left, right) {
    if (Array.isArray(left) && Array.isArray(right))
      return left.filter((value) => !right.some((other) => compare(value, other) === 0))
    return asNumber(left, '-') - asNumber(right, '-')
  },
  '*'(left, right) {
    if (typeof left === 'string' && typeof right === 'number') return right > 0 ? left.repeat(right) : null
    if (typeOf(left) === 'object' && typeOf(right) === 'object') return { ...(left as object), ...(right as object) }
    return asNumber(left, '*') * asNumber(right, '*')
  },
  '/'(left, right) {
    if (typeof left === 'string' && typeof right === 'string') return left.split(right)
    if (right === 0) throw cannot('/ 0', left)
    return asNumber(left, '/') / asNumber(right, '/')
  },
  '%'(left, right) {
    const divisor = Math.trunc(asNumber(right, '%'))
    if (divisor === 0) throw cannot('% 0', left)
    return Math.trunc(asNumber(left, '%')) % divisor
  },
}

/** The sum of two values: numbers, strings, arrays one after the other, objects one over the other; null adds nothing. */
export function add(left: unknown, right: unknown): unknown {
  if (typeOf(left) === 'null') return right ?? null
  if (typeOf(right) === 'null') return left
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'string' && typeof right === 'string') return left + right
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right]
  if (typeOf(left) === 'object' && typeOf(right) === 'object')
    return { ...(left as JsonObject), ...(right as JsonObject) }
  throw cannot('+', right)
}
