import { afterEach, expect, test } from 'vitest'
import { charts$, compare, keepChartsInAddress, showRange } from './charts.ts'

afterEach(() => {
  showRange('live')
  charts$.compared.set({ subject: 0, others: [] })
  history.replaceState(null, '', '/')
})

test('range, zoom and comparison are in the address, and a link shows the same', () => {
  history.replaceState(null, '', '/dashboard?q=web&open=7')
  const stop = keepChartsInAddress(7)
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
  const stopAgain = keepChartsInAddress(7)
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
  keepChartsInAddress(7)()
  expect(charts$.peek()).toMatchObject({ zoom: null, compared: { others: [] } })
})
