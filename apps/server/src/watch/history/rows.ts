import { excluded } from '../../store/db/columns.ts'
import type { HistoryDb } from '../../store/db/schema.ts'
import { decodeRow, encodeRow, encodeStep, type Scales } from './codec.ts'
import { serverScales, serviceScales } from './figures.ts'
import { rollUp, rowStart, type Step, tiers } from './steps.ts'

/** `serviceId` 0: samples of the server. */
export interface SeriesSteps {
  serviceId: number
  serverId: number
  steps: readonly Step[]
}

export function scalesOf(serviceId: number): Scales {
  return serviceId === 0 ? serverScales : serviceScales
}

/** Adds steps to the rows of a tier. Returns the new ones: steps already in the finest tier, as after a crash, aren't added again. */
export async function foldRows(db: HistoryDb, tier: number, series: readonly SeriesSteps[]): Promise<SeriesSteps[]> {
  const { stepMs } = tiers[tier]!
  const parts = series.flatMap(({ serviceId, serverId, steps }) =>
    unique(steps.map((step) => rowStart(tier, step.at))).map((at) => {
      const own = steps.filter((step) => rowStart(tier, step.at) === at)
      return { serviceId, serverId, at, own }
    }),
  )
  if (parts.length === 0) return []
  const found = await db
    .selectFrom('history_rows')
    .select(['service_id', 'server_id', 'at', 'data'])
    .where('tier', '=', tier)
    .where('service_id', 'in', unique(parts.map(({ serviceId }) => serviceId)))
    .where('server_id', 'in', unique(parts.map(({ serverId }) => serverId)))
    .where('at', 'in', unique(parts.map(({ at }) => at)))
    .execute()
  const stored = new Map(found.map((row) => [`${row.service_id}:${row.server_id}:${row.at}`, row.data]))
  const fresh = new Map<string, { serviceId: number; serverId: number; steps: Step[] }>()
  const rows = parts.map(({ serviceId, serverId, at, own }) => {
    const scales = scalesOf(serviceId)
    const data = stored.get(`${serviceId}:${serverId}:${at}`)
    const known = data === undefined ? [] : decodeRow(data, { at, stepMs }, scales)
    const added = tier === 0 && known.length > 0 ? own.filter((step) => !known.some(isSame(step, scales))) : own
    const key = `${serviceId}:${serverId}`
    fresh.set(key, { serviceId, serverId, steps: [...(fresh.get(key)?.steps ?? []), ...added] })
    const steps = rollUp([...known, ...added], stepMs)
    return {
      tier,
      service_id: serviceId,
      server_id: serverId,
      at,
      data: encodeRow(steps, { at, stepMs }, scales),
    }
  })
  await db
    .insertInto('history_rows')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['tier', 'service_id', 'server_id', 'at']).doUpdateSet(excluded('data')))
    .execute()
  return [...fresh.values()]
}

const isSame = (step: Step, scales: Scales) => (other: Step) =>
  other.at === step.at && encodeStep(other, scales) === encodeStep(step, scales)

const unique = (numbers: readonly number[]) => [...new Set(numbers)]
