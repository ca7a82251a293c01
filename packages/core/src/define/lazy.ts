/**
 * Returns a function that makes a value when it is first called and returns the same one afterwards. A program that starts for one list
 * doesn’t pay for the schemas of all (`tests/architecture/schemas-lazy.test.ts`).
 */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
