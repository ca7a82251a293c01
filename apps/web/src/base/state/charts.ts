import { observable, observe } from '@legendapp/state'
import { ports } from '../ports.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const ranges = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs, year: 365 * dayMs } as const
export type Range = keyof typeof ranges

export interface Zoom {
  from: number
  to: number
}

export const charts$ = observable<{
  range: Range | 'live'
  zoom: Zoom | null
  compared: { subject: number; others: readonly number[] }
}>({ range: 'live', zoom: null, compared: { subject: 0, others: [] } })

export function showRange(range: Range | 'live'): void {
  charts$.range.set(range)
  charts$.zoom.set(null)
}

export function compare(subject: number, others: readonly number[]): void {
  charts$.compared.set({ subject, others })
  if (charts$.range.peek() === 'live') charts$.range.set('hour')
}

export const chartParameters = ['range', 'from', 'to', 'vs'] as const

const maxNamed = 20

/** Available ranges. `isFree`: zoom and comparison are available too. */
interface Available {
  ranges: readonly Range[]
  isFree: boolean
}

/** Reads chart settings from an address. Missing or unavailable ones stay unchanged. */
function readCharts(search: URLSearchParams, subject: number, { ranges: available, isFree }: Available): void {
  const asked = search.get('range')
  const known = asked === 'live' ? asked : available.find((one) => one === asked)
  if (known !== undefined && known !== charts$.range.peek()) showRange(known)
  const range = charts$.range.peek()
  if (!isFree || range === 'live') return
  const [from, to] = [Number(search.get('from')), Number(search.get('to'))]
  const isPart = from > 0 && to > from && to - from <= ranges[range] && to <= ports.now() + ranges[range]
  if (isPart) charts$.zoom.set({ from, to })
  const others = (search.get('vs') ?? '').split(',').slice(0, maxNamed).map(Number)
  const ids = others.filter((id) => Number.isSafeInteger(id) && id > 0)
  if (ids.length > 0) charts$.compared.set({ subject, others: ids })
}

/** The search part of an address, with what the charts of a server show. */
function withCharts(search: URLSearchParams, subject: number, { isFree }: Available): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of chartParameters) next.delete(name)
  const { range, zoom, compared } = charts$.get()
  if (range === 'live') return next
  next.set('range', range)
  if (!isFree) return next
  if (zoom) {
    next.set('from', String(Math.round(zoom.from)))
    next.set('to', String(Math.round(zoom.to)))
  }
  if (compared.subject === subject && compared.others.length > 0) next.set('vs', compared.others.join())
  return next
}

/** Mirrors chart settings in the address without navigating. Returns the unsubscribe function. */
export function keepChartsInAddress(subject: number, available: Available): () => void {
  readCharts(new URLSearchParams(location.search), subject, available)
  return observe(() => {
    const next = withCharts(new URLSearchParams(location.search), subject, available)
    const search = next.size === 0 ? '' : `?${next}`
    if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`)
  })
}
