import { lastItem } from '@qd/core/errors'
import { type HistoryMetric, historyLimits, historyMetrics } from '@qd/core/schemas'
import { type ChartMetric, historyCharts } from '@qd/core/view'
import type { Texts } from '../../base/state/texts.ts'

export interface MetricFigure extends ChartMetric {
  readonly say: (value: number, texts: Pick<Texts, 't' | 'format'>) => string
}

type Say = MetricFigure['say']
const percent: Say = (value, { format }) => format.percent(value, value < 10 ? 1 : 0)
const says = {
  percent,
  bytes: percent,
  rate: (value, { format }) => format.rate(value),
  celsius: (value, { t, format }) => t('ui.units.celsius', { value: format.number(value, 1) }),
  duration: (value, { format }) => format.duration(value),
  number: (value, { format }) => format.number(value, value < 10 ? 2 : 0),
} satisfies Record<(typeof historyMetrics)[HistoryMetric]['unit'], Say>

export const figures: readonly { readonly label: string; readonly metrics: readonly MetricFigure[] }[] =
  historyCharts.map(({ label, metrics }) => ({
    label,
    metrics: metrics.map((one) => ({ ...one, say: says[historyMetrics[one.metric].unit] })),
  }))

/** Metrics split into calls within the server’s limit. */
export const metricBatches: readonly (readonly HistoryMetric[])[] = figures
  .flatMap(({ metrics }) => metrics.map(({ metric }) => metric))
  .reduce<HistoryMetric[][]>((batches, metric, index) => {
    if (index % historyLimits.metrics === 0) batches.push([])
    lastItem(batches).push(metric)
    return batches
  }, [])
