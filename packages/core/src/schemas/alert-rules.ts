import * as z from 'zod'
import { isCycleType, leastSamples, mostSamples } from '../fields/index.ts'

const limit = z.union([z.number(), z.literal('').transform(() => 0)]).optional()

/** One condition of an alert rule, strict; texts of the contract belong to its codes. Whether a cycle begins in the future is for who knows the time. */
const condition = z
  .object({
    type: z.string().min(1).max(64),
    min: limit,
    max: limit,
    duration: z.union([z.int(), z.literal('').transform(() => 0)]).optional(),
    cycle_start: z.string().nullable().optional(),
    cycle_interval: z.union([z.int(), z.literal('').transform(() => 0)]).optional(),
    cycle_unit: z.string().max(16).optional(),
    cover: z.int(),
    ignore: z
      .record(z.string().regex(/^[1-9]\d*$/), z.boolean())
      .nullish()
      .transform((ignore) => ignore ?? undefined),
  })
  .readonly()

/** The conditions of a rule: all must hold on a server at the same time. Source: contract engines 1.9. */
export const ruleConditions = z
  .array(condition)
  .max(64)
  .superRefine((rules, context) => {
    const refuse = (index: number, code: string) =>
      context.addIssue({ code: 'custom', path: [index], params: { code, number: index + 1 } })
    if (rules.length === 0) context.addIssue({ code: 'custom', params: { code: 'ruleNeeded' } })
    for (const [index, rule] of rules.entries()) {
      if (rule.cover !== 0 && rule.cover !== 1) refuse(index, 'ruleCover')
      else if (!isCycleType(rule.type)) {
        if ((rule.duration ?? 0) < leastSamples) refuse(index, 'ruleDuration')
        if ((rule.duration ?? 0) > mostSamples) refuse(index, 'ruleLong')
      } else if ((rule.cycle_interval ?? 0) < 1) refuse(index, 'ruleInterval')
      else if (!rule.cycle_start) refuse(index, 'ruleStart')
      else if (Number.isNaN(Date.parse(rule.cycle_start))) refuse(index, 'ruleStart')
    }
  })
