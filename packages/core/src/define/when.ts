/** A test as data, so that it can be shown, sent and evaluated anywhere. */
export type Test<V> =
  | { readonly is: V }
  | { readonly not: V }
  | { readonly in: readonly V[] }
  | { readonly empty: boolean }

/** Allows `readonly` lists in definitions. */
type Compared<V> = V extends readonly (infer Item)[] ? readonly Item[] : V

/** Every field must pass its test. */
export type When<T> = { readonly [K in keyof T]?: Test<Compared<T[K]>> }

/** An empty condition always holds. */
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

/** Null, undefined, an empty text or list, and 0 (the wire’s zero values). */
export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  )
}
