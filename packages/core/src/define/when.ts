/** A test of one value, as data so that it can be shown, sent and evaluated anywhere. */
export type Test<V> =
  | { readonly is: V }
  | { readonly not: V }
  | { readonly in: readonly V[] }
  | { readonly empty: boolean }

/** A value as a test compares it, so that an action whose author wrote `readonly` for a list fits a record without. */
type Compared<V> = V extends readonly (infer Item)[] ? readonly Item[] : V

/** A condition on a record: every named field must pass its test. */
export type When<T> = { readonly [K in keyof T]?: Test<Compared<T[K]>> }

/** True when the record meets the condition; a condition without tests always holds. Pure. */
export function holds<T extends object>(when: When<T>, record: T): boolean {
  return Object.entries(when).every(([field, test]) =>
    passes(test as Test<unknown>, (record as Record<string, unknown>)[field]),
  )
}

function passes(test: Test<unknown>, value: unknown): boolean {
  if ('is' in test) return value === test.is
  if ('not' in test) return value !== test.not
  if ('in' in test) return test.in.includes(value)
  return isEmpty(value) === test.empty
}

/** True for null, undefined, empty text, an empty list and 0 (the wire's zero values). */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  )
}
