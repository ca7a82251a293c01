import type { HistoryDb } from '../../store/db/schema.ts'
import { decodeRow, decodeStep, type Pick } from './codec.ts'
import { scalesOf } from './rows.ts'
import { rollUp, rowStart, type Step, startOf, stepsPerRow, tiers } from './steps.ts'

export interface OpenStep {
  at: number
  text: string
}

export interface OpenSeries {
  serviceId: number
  serverId: number
  steps: OpenStep[]
}

export interface ReadQuery {
  /** `[0]`: samples of servers. */
  services: readonly number[]
  /** Null: all reporters. */
  servers: readonly number[] | null
  /** Indexes of metrics; null: all. */
  metrics: readonly number[] | null
  from: number
  to: number
  tier: number
  stepMs: number
}

export interface FoundSeries {
  serviceId: number
  serverId: number
  steps: Step[]
}

/** `stepMs` is longer than requested if the answer would be too large. */
export interface Found {
  stepMs: number
  series: FoundSeries[]
}

/** Maximum steps per answer: more would stall the receiving thread. */
const most = 50_000
const slice = 50

interface StoredSeries {
  serviceId: number
  serverId: number
  rows: { at: number; data: string }[]
  open: OpenSeries['steps']
}

export function createReader(db: HistoryDb, open: ReadonlyMap<string, OpenSeries>, turn: () => Promise<void>) {
  async function collect({ services, servers, from, to, tier, stepMs }: ReadQuery): Promise<StoredSeries[]> {
    const found = new Map<string, StoredSeries>()
    const seriesOf = (serviceId: number, serverId: number) => {
      const key = `${serviceId}:${serverId}`
      const series = found.get(key) ?? { serviceId, serverId, rows: [], open: [] }
      found.set(key, series)
      return series
    }
    let query = db
      .selectFrom('history_rows')
      .select(['service_id', 'server_id', 'at', 'data'])
      .where('tier', '=', tier)
      .where('service_id', 'in', [...services])
      .where('at', '>=', rowStart(tier, startOf(from, stepMs)))
      .where('at', '<=', to)
    if (servers) query = query.where('server_id', 'in', [...servers])
    for (const row of await query.orderBy('at').execute()) seriesOf(row.service_id, row.server_id).rows.push(row)
    for (const { serviceId, serverId, steps } of open.values())
      if (services.includes(serviceId) && (servers?.includes(serverId) ?? true))
        seriesOf(serviceId, serverId).open = steps
    // PostgreSQL returns rows of the same time in any order.
    return [...found.values()].sort((a, b) => a.serviceId - b.serviceId || a.serverId - b.serverId)
  }

  return async (query: ReadQuery): Promise<Found> => {
    const stored = await collect(query)
    const stepMs = bounded(stored, query)
    const start = startOf(query.from, stepMs)
    const pick: Pick | undefined = query.metrics ? new Set(query.metrics) : undefined
    const series: FoundSeries[] = []
    let read = 0
    for (const { serviceId, serverId, rows, open: newest } of stored) {
      const scales = scalesOf(serviceId)
      const steps: Step[] = []
      for (const { at, data } of rows) {
        steps.push(...decodeRow(data, { at, stepMs: tiers[query.tier]!.stepMs }, scales, pick))
        if (++read % slice === 0) await turn()
      }
      for (const { at, text } of newest) steps.push(decodeStep(text, at, scales, pick))
      const within = steps.filter(({ at }) => at >= start && at <= query.to)
      series.push({ serviceId, serverId, steps: rollUp(within, stepMs) })
    }
    return { stepMs, series }
  }
}

/** Doubles the step until the answer fits. */
function bounded(stored: readonly StoredSeries[], { from, to, stepMs }: ReadQuery): number {
  const kept = stored.reduce((sum, { rows, open }) => sum + rows.length * stepsPerRow + open.length, 0)
  let step = stepMs
  while (Math.min(kept, stored.length * Math.ceil((to - from) / step)) > most) step *= 2
  return step
}
