import * as z from 'zod'
import { idKey, lazy, mapOf, maxItems } from '../define/index.ts'

const limit = z.union([z.number(), z.literal('').transform(() => 0)]).optional()

/** A condition of an alert rule as typed, by the types of its parts. Empty texts mean 0, as for Nezha. */
export const ruleShape = lazy(() =>
  z
    .object({
      type: z.string().min(1).max(256),
      min: limit,
      max: limit,
      duration: z.union([z.int(), z.literal('').transform(() => 0)]).optional(),
      cycle_start: z.string().max(64).nullable().optional(),
      cycle_interval: z.union([z.int(), z.literal('').transform(() => 0)]).optional(),
      cycle_unit: z.string().max(16).optional(),
      cover: z.int(),
      ignore: z
        .preprocess((ignore) => (ignore === '' ? null : ignore), mapOf(idKey, z.boolean(), maxItems).nullish())
        .optional()
        .transform((ignore) => ignore ?? undefined),
    })
    .readonly(),
)

/** Maximum number of conditions per rule. */
export const maxConditions = 64
