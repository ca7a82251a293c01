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
