import type { ErrorCode } from '@qd/core/errors'
import type { PostgresPlace } from '../../store/db/postgres-pool.ts'
import type { FoundSeries } from './read.ts'
import type { Figure } from './steps.ts'
import type { HistoryStore } from './store.ts'

/** A file of its own, or the server’s PostgreSQL. */
export type HistoryPlace = { readonly file: string } | PostgresPlace

export type Call = {
  [Name in keyof HistoryStore]: { id: number; name: Name; args: Parameters<HistoryStore[Name]> }
}[keyof HistoryStore]

export interface Answer {
  id: number
  result?: unknown
  error?: { reason: string; code: ErrorCode | null }
}

/** A series as numbers, which transfer between threads without a copy. */
interface PackedSeries {
  serviceId: number
  serverId: number
  metrics: number
  /** Per step: time, samples, failures, and four numbers per metric; NaN if unknown. */
  numbers: Float64Array
}

export interface PackedFound {
  stepMs: number
  series: PackedSeries[]
}

const head = 3
const perFigure = 4

export function pack({ serviceId, serverId, steps }: FoundSeries): PackedSeries {
  const metrics = steps[0]?.figures.length ?? 0
  const width = head + metrics * perFigure
  const numbers = new Float64Array(steps.length * width)
  for (const [row, { at, n, down, figures }] of steps.entries()) {
    numbers.set([at, n, down], row * width)
    for (const [index, figure] of figures.entries())
      numbers.set(figure ?? nothing, row * width + head + index * perFigure)
  }
  return { serviceId, serverId, metrics, numbers }
}

export function unpack({ serviceId, serverId, metrics, numbers }: PackedSeries): FoundSeries {
  const width = head + metrics * perFigure
  const figureAt = (place: number): Figure | null =>
    Number.isNaN(numbers[place])
      ? null
      : [numbers[place]!, numbers[place + 1]!, numbers[place + 2]!, numbers[place + 3]!]
  const steps = Array.from({ length: numbers.length / width }, (_, row) => {
    const place = row * width
    return {
      at: numbers[place]!,
      n: numbers[place + 1]!,
      down: numbers[place + 2]!,
      figures: Array.from({ length: metrics }, (_, index) => figureAt(place + head + index * perFigure)),
    }
  })
  return { serviceId, serverId, steps }
}

const nothing = [Number.NaN, Number.NaN, Number.NaN, Number.NaN] as const
