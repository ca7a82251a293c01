import { errorText } from '@qd/core/i18n'
import { type HistoryPoint, type ServiceHistory, serviceHistory } from '@qd/core/schemas'
import { headingOf, maxLines } from '@qd/core/view'
import { useMemo, useState } from 'react'
import type { Range, Zoom } from '../../base/state/charts.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LineChart } from '../charts/LineChart.tsx'
import { RangePicker } from '../charts/RangePicker.tsx'
import { spanOf, useChartTime } from '../charts/sources.ts'
import { useAnswer } from '../charts/use-answer.ts'
import * as own from './Days.css.ts'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

/** The call’s periods with a suitable step. */
const periods = {
  day: { name: '1d', stepMs: 5 * 60_000 },
  week: { name: '7d', stepMs: 30 * 60_000 },
  month: { name: '30d', stepMs: 2 * 3_600_000 },
} as const satisfies Partial<Record<Range, { name: string; stepMs: number }>>
type Period = keyof typeof periods
const shown = Object.keys(periods) as readonly Period[]

type Reporter = ServiceHistory['servers'][number]

/** The slowest servers as lines, all as figures. */
export function LatencyCharts({ resource, id, section }: SectionProps<'latency'>) {
  const { t, translator } = useTexts()
  const [period, setPeriod] = useState<Period>('day')
  const [zoom, setZoom] = useState<(Zoom & { period: Period }) | null>(null)
  const asked = useChartTime(period, null)
  const key = JSON.stringify([id, period, asked.to])
  const { answer, error } = useAnswer(
    key,
    [{ method: 'GET', path: section.path.replace('{id}', String(id)), query: { period: periods[period].name } }],
    ([history]) => ({ period, asked, history: serviceHistory().parse(history) }),
  )
  const isZoomed = zoom?.period === period
  const servers = answer?.history.servers ?? []
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <h2>{headingOf(translator, resource, section)}</h2>
        {isZoomed && (
          <Button size="small" icon="undo-2" onPress={() => setZoom(null)}>
            {t('ui.history.wholeRange')}
          </Button>
        )}
        <RangePicker ranges={shown} value={period} onChange={setPeriod} />
      </div>
      {error && <Note tone="bad" title={errorText(translator, error).title} />}
      {!answer && !error && <Skeleton width={280} />}
      {answer && servers.length === 0 && <Note title={t('ui.history.none')} />}
      {answer && servers.length > 0 && (
        <>
          <Chart
            servers={servers}
            zoom={isZoomed ? zoom : answer.asked}
            stepMs={periods[answer.period].stepMs}
            onZoom={(from, to) => setZoom({ from, to, period })}
          />
          <Reporters servers={servers} />
        </>
      )}
    </section>
  )
}

function Chart({
  servers,
  zoom,
  stepMs,
  onZoom,
}: {
  servers: readonly Reporter[]
  zoom: Zoom
  stepMs: number
  onZoom: (from: number, to: number) => void
}) {
  const { say, format } = useTexts()
  const lines = useMemo(
    () =>
      slowest(servers)
        .slice(0, maxLines)
        .map(({ server_name: name, server_id: server, stats }) => ({
          label: name || `#${server}`,
          points: stats.data_points
            .filter(({ status }) => status > 0)
            .map(({ ts, delay }): HistoryPoint => [ts, delay, delay, delay, delay]),
        })),
    [servers],
  )
  const { from, to } = zoom
  const span = useMemo(() => spanOf({ from, to }, stepMs), [from, to, stepMs])
  return (
    <LineChart
      title={say('resources.service.fields.delay')}
      lines={lines}
      span={span}
      top={null}
      sayValue={(value) => format.latency(value)}
      onZoom={onZoom}
    />
  )
}

const slowest = (servers: readonly Reporter[]) => [...servers].sort((a, b) => b.stats.avg_delay - a.stats.avg_delay)

function Reporters({ servers }: { servers: readonly Reporter[] }) {
  const { t, say, format } = useTexts()
  const more = servers.length - maxReporters
  return (
    <>
      <table className={own.table}>
        <thead>
          <tr>
            <th>{say('resources.server.one')}</th>
            <th>{say('resources.service.fields.delay')}</th>
            <th>{say('resources.service.fields.up_percent')}</th>
          </tr>
        </thead>
        <tbody>
          {slowest(servers)
            .slice(0, maxReporters)
            .map(({ server_id: id, server_name: name, stats }) => (
              <tr key={id}>
                <td>{name || `#${id}`}</td>
                <td>{stats.total_up > 0 ? format.latency(stats.avg_delay) : t('ui.value.noData')}</td>
                <td>{format.percent(stats.up_percent, 2)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {more > 0 && <p className={css.muted}>{t('ui.picker.more', { count: more })}</p>}
    </>
  )
}

const maxReporters = 20
