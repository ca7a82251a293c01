import type { Call } from '@qd/core/define'
import { type HistoryAnswer, type HistoryMetric, historyAnswer, serverMetrics } from '@qd/core/schemas'
import type { Range, Zoom } from '../../base/state/charts.ts'
import { metricBatches } from './metrics.ts'
import { chartPoints } from './ranges.ts'

export interface HistorySource {
  readonly ranges: readonly Range[]
  readonly isFree: boolean
  calls(ids: readonly number[], range: Range, asked: Zoom): readonly Call[]
  read(answers: readonly unknown[], range: Range): readonly HistoryAnswer[]
}

/** Our server: all ranges, any step, several servers and metrics per call. */
const own: HistorySource = {
  ranges: ['hour', 'day', 'week', 'month', 'year'],
  isFree: true,
  calls: (ids, _range, { from, to }) =>
    metricBatches.map((metrics) => ({
      method: 'GET',
      path: 'history',
      query: {
        servers: ids.join(','),
        metric: metrics.join(','),
        from: Math.round(from),
        to: Math.round(to),
        points: chartPoints,
      },
    })),
  read: (answers) => answers.map((answer) => historyAnswer().parse(answer)),
}

const minuteMs = 60_000
/** Periods of the metrics call with a suitable step. Source: contract http-api, `GET /server/{id}/metrics`. */
const periods: Partial<Record<Range, { name: string; stepMs: number }>> = {
  day: { name: '1d', stepMs: 5 * minuteMs },
  week: { name: '7d', stepMs: 30 * minuteMs },
  month: { name: '30d', stepMs: 120 * minuteMs },
}
/** One call per metric, so only the most important. */
const fewMetrics: readonly HistoryMetric[] = ['cpu', 'memory', 'disk', 'net_in_speed', 'net_out_speed', 'load1']

/** The metrics call of a Nezha dashboard: three periods that end now, one server and metric per call, means only. */
const nezha: HistorySource = {
  ranges: ['day', 'week', 'month'],
  isFree: false,
  calls: ([id], range) =>
    fewMetrics.map((metric) => ({
      method: 'GET',
      path: `server/${id}/metrics`,
      query: { metric, period: periods[range]?.name ?? '1d' },
    })),
  read: (answers, range) =>
    answers.map((answer) => {
      const { server_id, metric, data_points } = serverMetrics().parse(answer)
      const points = data_points.map(({ ts, value }): [number, number, number, number, number] => [
        ts,
        value,
        value,
        value,
        value,
      ])
      return { step_ms: periods[range]?.stepMs ?? minuteMs, series: [{ server_id, metric, points }] }
    }),
}

export const sourceFor = (hasHistory: boolean): HistorySource => (hasHistory ? own : nezha)
