import type { HistorySumsTable } from '../../store/db/schema.ts'
import type { ServiceDay, ServicePoint } from './history.ts'
import { spans } from './steps.ts'

const hour = spans.hour.ms
const day = spans.day.ms
const quarter = 15 * 60_000

type Slots = Map<number, HistorySumsTable>

/** `retained`: the time by which old sums expire. */
export function createServiceSums(zone: () => string, retained: () => number = () => Number.POSITIVE_INFINITY) {
  const services = new Map<number, Readonly<Record<keyof typeof spans, Slots>>>()
  const touched = new Set<HistorySumsTable>()
  const dayOf = createCalendar(zone)

  function slotsOf(serviceId: number): Readonly<Record<keyof typeof spans, Slots>> {
    const known = services.get(serviceId) ?? { hour: new Map(), day: new Map() }
    services.set(serviceId, known)
    return known
  }
  function count(span: keyof typeof spans, slot: number, { serviceId, ok, delay }: ServicePoint) {
    const slots = slotsOf(serviceId)[span]
    const { ms, kept } = spans[span]
    const row = slots.get(slot) ?? { service_id: serviceId, span_ms: ms, slot, up: 0, down: 0, delay: 0 }
    if (!slots.has(slot)) {
      slots.set(slot, row)
      const newest = Math.min(slot, Math.floor(retained() / ms) + 1)
      for (const old of slots.keys()) if (old < newest - kept) slots.delete(old)
    }
    if (ok) {
      row.up += 1
      row.delay += delay ?? 0
    } else row.down += 1
    touched.add(row)
  }
  function list(serviceId: number, span: keyof typeof spans, newest: number): ServiceDay[] {
    const slots = services.get(serviceId)?.[span]
    const { kept } = spans[span]
    return Array.from({ length: kept }, (_, index) => {
      const row = slots?.get(newest - (kept - 1) + index)
      return row ? { up: row.up, down: row.down, delay: row.up === 0 ? null : row.delay / row.up } : nothing
    })
  }

  return {
    /** Adds stored sums to what was counted before they could be read. */
    load(rows: readonly HistorySumsTable[]): void {
      for (const row of rows) {
        const slots = slotsOf(row.service_id)[row.span_ms === hour ? 'hour' : 'day']
        const counted = slots.get(row.slot)
        if (counted === undefined) slots.set(row.slot, { ...row })
        else {
          counted.up += row.up
          counted.down += row.down
          counted.delay += row.delay
        }
      }
    },
    add(point: ServicePoint): void {
      count('hour', Math.floor(point.at / hour), point)
      count('day', dayOf(point.at), point)
    },
    days: (serviceId: number, now: number) => list(serviceId, 'day', dayOf(now)),
    trend: (serviceId: number, now: number) =>
      list(serviceId, 'hour', Math.floor(now / hour)).map(({ delay }) => delay),
    changed(): HistorySumsTable[] {
      const rows = [...touched].map((row) => ({ ...row }))
      touched.clear()
      return rows
    },
  }
}

const nothing: ServiceDay = { up: 0, down: 0, delay: null }

/** Days since 1970-01-01 in a time zone. Offsets are multiples of 15 min, so each quarter is formatted once. */
function createCalendar(zone: () => string): (at: number) => number {
  let known = { zone: zone(), quarter: Number.NaN, day: 0 }
  let format = formatOf(known.zone)
  return (at) => {
    const of = Math.floor(at / quarter)
    if (known.quarter === of && known.zone === zone()) return known.day
    if (known.zone !== zone()) format = formatOf(zone())
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    known = { zone: zone(), quarter: of, day: Date.UTC(parts.year!, parts.month! - 1, parts.day) / day }
    return known.day
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    calendar: 'gregory',
    timeZone: zone,
  })
}
