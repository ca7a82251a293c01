import type { AlertRuleRow } from '../../store/records/rows.ts'
import { type Condition, readyConditions, type TransferredSince, watches } from './conditions.ts'
import { createMemory, type Memory } from './judge.ts'
import type { Sample } from './measure.ts'

/** A server as rules look at it, shared by all of them. */
export interface Subject {
  readonly id: number
  readonly ownerId: number
  sample: Sample
  readonly transferred: TransferredSince
}

/** A server under a rule. */
export interface Pair {
  readonly subject: Subject
  readonly memory: Memory
  /** It fails, or did before the last start and nothing else is known yet. */
  isFailing: boolean
  /** Epoch ms of the failure that lasts or was the last one; null before any. */
  since: number | null
  /** What it is has been said since the last start. */
  isSaid: boolean
}

/** A rule that is switched on and can fire, with the servers that it watches. */
export interface WatchedRule {
  row: AlertRuleRow
  readonly conditions: readonly Condition[]
  pairs: readonly Pair[]
}

/** A rule without servers yet; null if it is off or can never fire. */
export function watchedRule(row: AlertRuleRow): WatchedRule | null {
  const conditions = row.enable ? readyConditions(row.rules) : null
  return conditions && { row, conditions, pairs: [] }
}

/** Takes the servers as they are now, within the reach of the rule's owner. Returns the ids that it does not watch any more. */
export function watchServers(
  rule: WatchedRule,
  subjects: Iterable<Subject>,
  about: { reachesAll: boolean; openSince(serverId: number): number | null },
): number[] {
  const { row, conditions, pairs } = rule
  const known = new Map(pairs.map((pair) => [pair.subject.id, pair]))
  const now: Pair[] = []
  for (const subject of subjects) {
    const { id, ownerId } = subject
    if (!(about.reachesAll || ownerId === row.owner_id) || !watches(row.rules, id)) continue
    const pair = known.get(id)
    known.delete(id)
    if (pair?.subject === subject) {
      now.push(pair)
      continue
    }
    const since = about.openSince(id)
    now.push({ subject, memory: createMemory(conditions), isFailing: since !== null, since, isSaid: false })
  }
  rule.pairs = now
  return [...known.keys()]
}
