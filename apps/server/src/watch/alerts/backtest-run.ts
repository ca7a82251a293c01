import { kindOfMetric, Role, type RuleCondition } from '@qd/core/define'
import { type BacktestAnswer, targetsOfRules } from '@qd/core/resources'
import { type HostState, isSampledMetric } from '@qd/core/schemas'
import { resolveTargets } from '@qd/core/targets'
import type { Base } from '../../base.ts'
import type { LiveState } from '../../fleet/live/live-store.ts'
import { seesHosts } from '../../store/records/rights.ts'
import { toInstant } from '../../store/records/wire.ts'
import type { History } from '../history/history.ts'
import { addFigure, backtest, forSteps, metricsOf, stepMs } from './backtest.ts'
import { type Condition, readyConditions } from './conditions.ts'

/** `within`: the only servers that may be read; null: all. `mayLookInto`: whether who asks may see what runs on hosts. */
export interface BacktestQuestion {
  readonly rules: readonly RuleCondition[]
  readonly ownerId: number
  readonly within: readonly number[] | null
  readonly mayLookInto: boolean
}

/** `step_ms`: length of a step; each stands for ten samples. */
export type Backtested = BacktestAnswer & { readonly step_ms: number }

const steps = 120
const maxAtOnce = 25

/** Finds where a rule would have fired in the last hour, by its history of 30 s, in slices. */
export function createBacktest(
  { servers, accounts, clock, settings }: Pick<Base, 'servers' | 'accounts' | 'clock' | 'settings'>,
  { history, live }: { history: Pick<History, 'lastHour'>; live: Pick<LiveState, 'hostOf'> },
): (question: BacktestQuestion) => Promise<Backtested> {
  return async ({ rules, ownerId, within, mayLookInto }) => {
    const end = Math.ceil(clock.now() / stepMs) * stepMs
    const begin = end - steps * stepMs
    const at = (step: number) => toInstant(begin + step * stepMs)
    const { ids } = resolveTargets({
      selection: targetsOfRules(rules),
      owner: accounts.ownerOf(ownerId),
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: true })),
    })
    const conditions = forSteps(readyConditions(rules) ?? [])
    // As for the rule itself: an owner who may not know what runs on hosts has no servers for it.
    const isHidden =
      conditions.some(({ type }) => kindOfMetric(type) !== null) &&
      !(mayLookInto && seesHosts(settings, { role: accounts.isAdmin(ownerId) ? Role.admin : Role.user }))
    const tested = isHidden ? [] : ids.filter((id) => within?.includes(id) ?? true)
    const answer: Backtested = {
      from: at(0),
      to: at(steps),
      step_ms: stepMs,
      servers: tested.length,
      with_data: 0,
      unknown: 0,
      fired: [],
      without: conditions.length > 1 ? conditions.map(() => 0) : [],
    }
    for (let first = 0; first < tested.length && conditions.length > 0; first += maxAtOnce) {
      const some = tested.slice(first, first + maxAtOnce)
      const known = await knownOf(some, conditions, begin)
      for (const id of some) {
        // A server that didn't exist yet wasn't offline.
        const first = Math.max(0, Math.floor(((servers.find(id)?.created_at ?? 0) - begin) / stepMs))
        const result = backtest(conditions, { host: live.hostOf(id), steps: known.get(id)!.slice(first) })
        if (result.hasData) {
          answer.with_data += 1
          // The mean of these servers. The newest step may just have begun.
          const { length } = result.points
          const unknown = Math.max(0, length - 1 - result.known) / length
          answer.unknown += (unknown - answer.unknown) / answer.with_data
        }
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

  async function knownOf(ids: readonly number[], conditions: readonly Condition[], begin: number) {
    const empty = (): Step[] => Array.from({ length: steps }, () => ({ state: null, hosts: new Map() }))
    const known = new Map(ids.map((id) => [id, empty()]))
    for (const { serverId, metric, points } of await history.lastHour(ids, metricsOf(conditions))) {
      for (const [start, mean] of points) {
        const step = known.get(serverId)?.[Math.floor((start - begin) / stepMs)]
        if (!step) continue
        if (isSampledMetric(metric)) step.state = addFigure(step.state, metric, mean)
        else step.hosts.set(metric, mean)
      }
    }
    return known
  }
}

interface Step {
  state: HostState | null
  readonly hosts: Map<string, number>
}

const limitOf = ({ kind, max, min }: Condition) => (kind === 'offline' ? null : max > 0 ? max : min)
