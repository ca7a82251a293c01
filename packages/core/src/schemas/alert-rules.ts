import * as z from 'zod'
import { lazy } from '../define/index.ts'
import { isCycleType, leastSamples, maxConditions, maxSamples, ruleShape } from '../fields/index.ts'

/** A rule’s conditions, which must all hold at the same time. Whether a cycle starts in the future or a type is known is checked elsewhere. Source: contract engines 1.9. */
export const ruleConditions = lazy(() =>
  z
    .array(ruleShape())
    .max(maxConditions)
    .superRefine((rules, context) => {
      const refuse = (index: number, code: string) =>
        context.addIssue({ code: 'custom', path: [index], params: { code, number: index + 1 } })
      if (rules.length === 0) context.addIssue({ code: 'custom', params: { code: 'ruleNeeded' } })
      for (const [index, rule] of rules.entries()) {
        if (rule.cover !== 0 && rule.cover !== 1) refuse(index, 'ruleCover')
        else if (!isCycleType(rule.type)) {
          if ((rule.duration ?? 0) < leastSamples) refuse(index, 'ruleDuration')
          if ((rule.duration ?? 0) > maxSamples) refuse(index, 'ruleLong')
        } else if ((rule.cycle_interval ?? 0) < 1) refuse(index, 'ruleInterval')
        else if (!rule.cycle_start) refuse(index, 'ruleStart')
        else if (Number.isNaN(Date.parse(rule.cycle_start))) refuse(index, 'ruleStart')
      }
    }),
)
