import { cycleSpan } from '@qd/core/fields'
import { toInstant } from '../../store/records/wire.ts'
import type { CycleCheck } from './cycle-check.ts'
import type { WatchedRule } from './watched-rule.ts'

/** What a rule counts in its present cycle; instants are RFC 3339. Source: contract http-api 4.5. */
export interface CycleStats {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Bytes. */
  readonly max: number
  readonly min: number
  /** By server id. `transfer` in bytes at the last check. */
  readonly server_name?: Readonly<Record<string, string>>
  readonly transfer?: Readonly<Record<string, number>>
  readonly next_update?: Readonly<Record<string, string>>
}

/** Statistics of a rule's first condition on a cycle; null if it has none, or nothing of it is for this viewer. */
export function cycleStatsOf(
  { row, conditions, pairs }: WatchedRule,
  { sees, now, nameOf }: { sees(serverId: number): boolean; now: number; nameOf(serverId: number): string },
): CycleStats | null {
  const index = conditions.findIndex(({ kind }) => kind === 'cycle')
  const condition = conditions[index]
  if (condition?.kind !== 'cycle') return null
  const checks = pairs
    .filter(({ subject }) => sees(subject.id))
    .map(({ subject, memory }) => ({ id: subject.id, check: memory[index] as CycleCheck }))
    .filter(({ check }) => check.value !== null)
  if (checks.length === 0) return null
  const { from, to } = cycleSpan(condition.cycle, now)
  const byServer = <T>(value: (entry: (typeof checks)[number]) => T) =>
    Object.fromEntries(checks.map((entry) => [String(entry.id), value(entry)]))
  return {
    name: row.name,
    from: toInstant(from),
    to: toInstant(to),
    max: condition.max,
    min: condition.min,
    server_name: byServer(({ id }) => nameOf(id)),
    transfer: byServer(({ check }) => check.value as number),
    next_update: byServer(({ check }) => toInstant(check.nextAt)),
  }
}
