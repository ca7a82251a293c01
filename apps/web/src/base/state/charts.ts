import { observable, observe } from '@legendapp/state'

/** A part of a span, in ms, that the charts are zoomed to. */
export interface Zoom {
  from: number
  to: number
}

/** What the charts of a server show; it stays while one goes from server to server. */
export const charts$ = observable<{
  /** A name of a span, or `live`. */
  range: string
  /** The part of `range` that is zoomed to. */
  zoom: Zoom | null
  /** The servers whose history is next to that of a subject. */
  compared: { subject: number; others: readonly number[] }
}>({ range: 'live', zoom: null, compared: { subject: 0, others: [] } })

/** Shows another span, whole. */
export function showRange(range: string): void {
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

/** Takes what an address says about the charts of a server; what it doesn’t say stays. */
function readCharts(search: URLSearchParams, subject: number): void {
  const range = search.get('range')
  if (range !== null && range !== charts$.range.peek()) showRange(range)
  const [from, to] = [Number(search.get('from')), Number(search.get('to'))]
  if (from > 0 && from < to) charts$.zoom.set({ from, to })
  const others = (search.get('vs') ?? '').split(',').slice(0, maxNamed).map(Number)
  const known = others.filter((id) => Number.isSafeInteger(id) && id > 0)
  if (known.length > 0) charts$.compared.set({ subject, others: known })
}

/** The search part of an address, with what the charts of a server show. */
function withCharts(search: URLSearchParams, subject: number): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of chartParameters) next.delete(name)
  const { range, zoom, compared } = charts$.get()
  if (range === 'live') return next
  next.set('range', range)
  if (zoom) {
    next.set('from', String(Math.round(zoom.from)))
    next.set('to', String(Math.round(zoom.to)))
  }
  if (compared.subject === subject && compared.others.length > 0) next.set('vs', compared.others.join())
  return next
}

/** Keeps the address saying what the charts of a server show, without a navigation. Returns the function that ends that. */
export function keepChartsInAddress(subject: number): () => void {
  readCharts(new URLSearchParams(location.search), subject)
  return observe(() => {
    const next = withCharts(new URLSearchParams(location.search), subject)
    const search = next.size === 0 ? '' : `?${next}`
    if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`)
  })
}
