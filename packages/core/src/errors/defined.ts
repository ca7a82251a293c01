/** The value, where the code around it guarantees one. Throws at this place if it doesn’t. */
export function defined<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value is missing that must be there')
  return value
}

/** The first item of a list that has one. Throws for an empty list. */
export const firstItem = <T>(items: ArrayLike<T>): T => defined(items[0])

/** The last item of a list that has one. Throws for an empty list. */
export const lastItem = <T>(items: ArrayLike<T>): T => defined(items[items.length - 1])
