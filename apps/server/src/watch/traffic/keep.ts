import type { RuleCondition } from '@qd/core/define'
import { cycleSpan } from '@qd/core/fields'
import { readyConditions, watches } from '../alerts/conditions.ts'

/** From when on the traffic of a server is still counted by a condition of any rule (epoch ms); null: by none. Pure. */
export function keepFrom(
  rules: readonly (readonly (RuleCondition | null)[])[],
  serverId: number,
  now: number,
): number | null {
  const spans = rules.flat().flatMap((rule) => {
    const [condition] = readyConditions([rule]) ?? []
    return rule && condition?.kind === 'cycle' && watches([rule], serverId) ? cycleSpan(condition.cycle, now).from : []
  })
  return spans.length === 0 ? null : Math.min(...spans)
}
