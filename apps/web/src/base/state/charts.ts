import { observable, observe } from '@legendapp/state'
import { ports } from '../ports.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Spans of history by their names, in ms. */
export const ranges = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 30 * dayMs, year: 365 * dayMs } as const
export type Range = keyof typeof ranges

/** A part of a span, in ms, that the charts are zoomed to. */
export interface Zoom {
  from: number
  to: number
}

/** What the charts of a server show; it stays while one goes from server to server. */
export const charts$ = observable<{
  range: Range | 'live'
  /** The part of `range` that is zoomed to. */
  zoom: Zoom | null
  /** The servers whose history is next to that of a subject. */
  compared: { subject: number; others: readonly number[] }
}>({ range: 'live', zoom: null, compared: { subject: 0, others: [] } })

/** Shows another span, whole. */
export function showRange(range: Range | 'live'): void {
  charts$.range.set(range)
  charts$.zoom.set(null)
}

/** Puts the history of others next to that of one server. */
export function compare(subject: number, others: readonly number[]): void {
  charts$.compared.set({ subject, others })
  if (charts$.range.peek() === 'live') charts$.range.set('hour')
}

/** Parameters of an address that say what its charts show. */
export const chartParameters = ['range', 'from', 'to', 'vs'] as const

/** More servers than a chart ever compares. */
const maxNamed = 20

/** Which charts there are: their ranges, and whether any part of a range and several servers can be asked for. */
interface Offered {
  ranges: readonly Range[]
  isFree: boolean
}

/** Takes what an address says about the charts of a server; what it doesn’t say, or what isn’t offered, stays. */
function readCharts(search: URLSearchParams, subject: number, { ranges: offered, isFree }: Offered): void {
  const asked = search.get('range')
  const known = asked === 'live' ? asked : offered.find((one) => one === asked)
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
function withCharts(search: URLSearchParams, subject: number, { isFree }: Offered): URLSearchParams {
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

/** Keeps the address saying what the charts of a server show, without a navigation. Returns the function that ends that. */
export function keepChartsInAddress(subject: number, offered: Offered): () => void {
  readCharts(new URLSearchParams(location.search), subject, offered)
  return observe(() => {
    const next = withCharts(new URLSearchParams(location.search), subject, offered)
    const search = next.size === 0 ? '' : `?${next}`
    if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`)
  })
}
