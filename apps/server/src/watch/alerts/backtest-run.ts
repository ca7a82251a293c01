import type { RuleCondition } from '@qd/core/define'
import { type BacktestAnswer, targetsOfRules } from '@qd/core/resources'
import type { HostState } from '@qd/core/schemas'
import { resolveTargets } from '@qd/core/targets'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { History } from '../history/history.ts'
import { addFigure, backtest, forSteps, metricsOf, stepMs } from './backtest.ts'
import { type Condition, readyConditions } from './conditions.ts'

/** `within`: the only servers that may be read; null: all. */
export interface BacktestQuestion {
  readonly rules: readonly RuleCondition[]
  readonly ownerId: number
  readonly within: readonly number[] | null
}

/** `step_ms`: length of a step; each stands for ten samples. */
export type Backtested = BacktestAnswer & { readonly step_ms: number }

const steps = 120
const maxAtOnce = 25

/** Finds where a rule would have fired in the last hour, by its history of 30 s, in slices. */
export function createBacktest(
  { servers, accounts, clock }: Pick<Base, 'servers' | 'accounts' | 'clock'>,
  { history, live }: { history: Pick<History, 'lastHour'>; live: Pick<LiveState, 'hostOf'> },
): (question: BacktestQuestion) => Promise<Backtested> {
  return async ({ rules, ownerId, within }) => {
    const end = Math.ceil(clock.now() / stepMs) * stepMs
    const begin = end - steps * stepMs
    const at = (step: number) => toInstant(begin + step * stepMs)
    const { ids } = resolveTargets({
      selection: targetsOfRules(rules),
      owner: accounts.ownerOf(ownerId),
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: true })),
    })
    const tested = ids.filter((id) => within?.includes(id) ?? true)
    const conditions = forSteps(readyConditions(rules) ?? [])
    const answer: Backtested = {
      from: at(0),
      to: at(steps),
      step_ms: stepMs,
      servers: tested.length,
      with_data: 0,
      fired: [],
      without: conditions.length > 1 ? conditions.map(() => 0) : [],
    }
    for (let first = 0; first < tested.length && conditions.length > 0; first += maxAtOnce) {
      const some = tested.slice(first, first + maxAtOnce)
      const states = await statesOf(some, conditions, begin)
      for (const id of some) {
        // A server that didn't exist yet wasn't offline.
        const first = Math.max(0, Math.floor(((servers.find(id)?.created_at ?? 0) - begin) / stepMs))
        const result = backtest(conditions, { host: live.hostOf(id), states: states.get(id)!.slice(first) })
        answer.with_data += Number(result.hasData)
        result.without.forEach((hasFired, index) => {
          answer.without[index]! += Number(hasFired)
        })
        if (!result.fired) continue
        const { from, to } = result.fired
        answer.fired.push({
          server_id: id,
          server_name: servers.find(id)?.name ?? '',
          from: at(first + from),
          to: to === null ? null : at(first + to),
          points: [...result.points],
          limit: limitOf(conditions[0]!),
        })
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    return answer
  }

  async function statesOf(ids: readonly number[], conditions: readonly Condition[], begin: number) {
    const states = new Map(ids.map((id) => [id, Array<HostState | null>(steps).fill(null)]))
    for (const { serverId, metric, points } of await history.lastHour(ids, metricsOf(conditions))) {
      const of = states.get(serverId)
      for (const [start, mean] of points) {
        const step = Math.floor((start - begin) / stepMs)
        if (of && step >= 0 && step < steps) of[step] = addFigure(of[step]!, metric, mean)
      }
    }
    return states
  }
}

const limitOf = ({ kind, max, min }: Condition) => (kind === 'offline' ? null : max > 0 ? max : min)
