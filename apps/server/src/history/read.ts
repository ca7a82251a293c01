import { decodeRow, decodeStep, type Pick } from './codec.ts'
import { scalesOf } from './rows.ts'
import { rollUp, type Step } from './steps.ts'
import type { HistoryDb, OpenSeries } from './store.ts'
import { rowStart, tiers } from './tiers.ts'

/** Which steps are wanted. */
export interface ReadQuery {
  /** `[0]` for samples of servers. */
  services: readonly number[]
  /** Null: whoever reported of the services. */
  servers: readonly number[] | null
  /** Places of the metrics; null: all. */
  metrics: readonly number[] | null
  from: number
  to: number
  tier: number
  /** At least that of the tier. */
  stepMs: number
}

/** Steps that were found, of one series, oldest first. */
export interface FoundSeries {
  serviceId: number
  serverId: number
  steps: Step[]
}

/** Rows that are read before others get their turn. */
const slice = 50

/** What reads a store whose newest steps are in memory. */
export function createReader(db: HistoryDb, open: ReadonlyMap<string, OpenSeries>, turn: () => Promise<void>) {
  return async ({ services, servers, metrics, from, to, tier, stepMs }: ReadQuery): Promise<FoundSeries[]> => {
    const pick: Pick | undefined = metrics ? new Set(metrics) : undefined
    const found = new Map<string, FoundSeries>()
    const start = Math.floor(from / stepMs) * stepMs
    const add = (serviceId: number, serverId: number, steps: readonly Step[]) => {
      const key = `${serviceId}:${serverId}`
      const series = found.get(key) ?? { serviceId, serverId, steps: [] }
      series.steps.push(...steps.filter(({ at }) => at >= start && at <= to))
      found.set(key, series)
    }
    let query = db
      .selectFrom('history_rows')
      .select(['service_id', 'server_id', 'at', 'data'])
      .where('tier', '=', tier)
      .where('service_id', 'in', [...services])
      .where('at', '>=', rowStart(tier, start))
      .where('at', '<=', to)
    if (servers) query = query.where('server_id', 'in', [...servers])
    const rows = await query.orderBy('at').execute()
    for (const [index, row] of rows.entries()) {
      if (index % slice === slice - 1) await turn()
      const place = { at: row.at, stepMs: tiers[tier]!.stepMs }
      add(row.service_id, row.server_id, decodeRow(row.data, place, scalesOf(row.service_id), pick))
    }
    for (const { serviceId, serverId, steps } of open.values()) {
      if (!services.includes(serviceId) || (servers && !servers.includes(serverId))) continue
      const scales = scalesOf(serviceId)
      add(
        serviceId,
        serverId,
        steps.map(({ at, text }) => decodeStep(text, at, scales, pick)),
      )
    }
    return [...found.values()].map((series) => ({ ...series, steps: rollUp(series.steps, stepMs) }))
  }
}
