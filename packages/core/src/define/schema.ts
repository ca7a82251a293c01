import * as z from 'zod'

export const maxItems = 10_000

/** The maximum is part of the API document too. */
export const mapOf = <Value extends z.ZodType>(key: z.ZodString, value: Value, maximum: number) =>
  z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= maximum, { params: { code: 'tooManyItems', maximum } })
    .meta({ maxProperties: maximum })

/** A record’s ID as a key. */
export const idKey = z
  .string()
  .max(16)
  .regex(/^[1-9]\d*$/)

/**
 * Creates a value on the first call, so that a program that starts for one list doesn’t pay for the schemas of all
 * (`tests/architecture/schemas-lazy.alone.test.ts`).
 */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Faults by path, without the actual values: `id: expected number, host: expected object`. */
export function shapeFaults({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => {
    const wanted = message.replace(/^Invalid [a-z]+: /, '').replace(/, received .*$/s, '')
    return path.length === 0 ? wanted : `${path.join('.')}: ${wanted}`
  })
  return faults.join(', ')
}
