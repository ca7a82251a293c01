import { expect, test } from 'vitest'
import { sourceFor } from './sources.ts'

const asked = { from: 1000.4, to: 5000 }

test('our server is asked for all metrics of several servers in few calls', () => {
  const calls = sourceFor(() => true).calls([1, 2], 'hour', asked)
  expect(calls).toHaveLength(3)
  expect(calls[0]!.query).toMatchObject({ servers: '1,2', from: 1000, to: 5000 })
})

test('an older server of ours is not asked for what runs on hosts', () => {
  const asks = (supported: readonly string[]) =>
    sourceFor((capability) => supported.includes(capability))
      .calls([1], 'hour', asked)
      .map(({ query }) => query?.metric)
      .join()
  expect(asks(['history', 'host-history'])).toContain('units_failed,containers_unhealthy,fs_used_max')
  expect(asks(['history'])).not.toContain('units_failed')
})

test('N-17 a Nezha dashboard is asked metric by metric, and its points are read as means', () => {
  const source = sourceFor(() => false)
  expect(source.calls([7], 'week', asked).map(({ path, query }) => [path, query])).toContainEqual([
    'server/7/metrics',
    { metric: 'cpu', period: '7d' },
  ])
  const read = source.read([{ server_id: 7, metric: 'cpu', data_points: [{ ts: 60_000, value: 12 }] }], 'week')
  expect(read).toEqual([
    { step_ms: 1_800_000, series: [{ server_id: 7, metric: 'cpu', points: [[60_000, 12, 12, 12, 12]] }] },
  ])
  expect(source.read([{ server_id: 7, metric: 'cpu', data_points: null }], 'day')[0]!.series[0]!.points).toEqual([])
})
