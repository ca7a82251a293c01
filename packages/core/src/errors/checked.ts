/** Undefined if the text isn’t JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Asserts that a value is present. */
export function defined<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value is missing that must be there')
  return value
}

export const firstItem = <T>(items: ArrayLike<T>): T => defined(items[0])

export const lastItem = <T>(items: ArrayLike<T>): T => defined(items[items.length - 1])
