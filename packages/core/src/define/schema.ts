import * as z from 'zod'

/** Most items of a list of records. */
export const maxItems = 10_000

/** A map with at most `maximum` entries. The maximum is also part of the API document. */
export const mapOf = <Value extends z.ZodType>(key: z.ZodString, value: Value, maximum: number) =>
  z
    .record(key, value)
    .refine((map) => Object.keys(map).length <= maximum, { params: { code: 'tooManyItems', maximum } })
    .meta({ maxProperties: maximum })

/** The number of a record as the key of a map. */
export const idKey = z
  .string()
  .max(16)
  .regex(/^[1-9]\d*$/)

/**
 * Returns a function that makes a value when it is first called and returns the same one afterwards. A program that starts for one list
 * doesn’t pay for the schemas of all (`tests/architecture/schemas-lazy.test.ts`).
 */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** What a value lacks, by place, without what stands there instead: `id: expected number, host: expected object`. */
export function shapeFaults({ issues }: z.ZodError): string {
  const faults = issues.map(({ path, message }) => {
    const wanted = message.replace(/^Invalid [a-z]+: /, '').replace(/, received .*$/s, '')
    return path.length === 0 ? wanted : `${path.join('.')}: ${wanted}`
  })
  return faults.join(', ')
}
