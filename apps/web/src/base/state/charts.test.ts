import { afterEach, expect, test } from 'vitest'
import { charts$, compare, keepChartsInAddress, showRange } from './charts.ts'

const own = { ranges: ['hour', 'day', 'week'], isFree: true } as const

afterEach(() => {
  showRange('live')
  charts$.compared.set({ subject: 0, others: [] })
  history.replaceState(null, '', '/')
})

test('range, zoom and comparison are in the address, and a link shows the same', () => {
  history.replaceState(null, '', '/dashboard?q=web&open=7')
  const stop = keepChartsInAddress(7, own)
  expect(location.search).toBe('?q=web&open=7')
  showRange('day')
  charts$.zoom.set({ from: 1000.4, to: 2000 })
  compare(7, [8, 9])
  const link = location.search
  expect(Object.fromEntries(new URLSearchParams(link))).toEqual({
    ...{ q: 'web', open: '7' },
    ...{ range: 'day', from: '1000', to: '2000', vs: '8,9' },
  })
  stop()

  showRange('live')
  charts$.compared.set({ subject: 0, others: [] })
  history.replaceState(null, '', `/dashboard${link}`)
  const stopAgain = keepChartsInAddress(7, own)
  expect(charts$.peek()).toEqual({
    range: 'day',
    zoom: { from: 1000, to: 2000 },
    compared: { subject: 7, others: [8, 9] },
  })
  expect(location.search).toBe(link)
  showRange('live')
  expect(location.search).toBe('?q=web&open=7')
  stopAgain()
})

test('an address with nonsense leaves the charts as they are', () => {
  history.replaceState(null, '', '/dashboard?from=9&to=3&vs=x,-1')
  keepChartsInAddress(7, own)()
  expect(charts$.peek()).toMatchObject({ zoom: null, compared: { others: [] } })
})

const sight = () => {
  const { range, zoom, compared } = charts$.peek()
  return { range, zoom, others: compared.others }
}

test.each([
  ['a range that is not offered', '?range=century', { range: 'live', zoom: null }],
  ['a part without a range', '?from=1000&to=2000', { range: 'live', zoom: null }],
  ['a part longer than its range', '?range=hour&from=1&to=9e12', { range: 'hour', zoom: null }],
  ['a part that ends long after now', '?range=hour&from=1e300&to=1e301', { range: 'hour', zoom: null }],
])('of a link, %s is not taken', (_, search, expected) => {
  history.replaceState(null, '', `/dashboard${search}`)
  keepChartsInAddress(7, own)()
  expect(sight()).toEqual({ ...expected, others: [] })
})

test('where only whole ranges of one server can be asked for, a link brings neither a part nor a comparison', () => {
  history.replaceState(null, '', '/dashboard?range=day&from=1000&to=2000&vs=8')
  keepChartsInAddress(7, { ranges: ['day'], isFree: false })()
  expect(sight()).toEqual({ range: 'day', zoom: null, others: [] })
  expect(location.search).toBe('?range=day')
})
