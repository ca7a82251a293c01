import { useValue } from '@legendapp/state/react'
import { firstItem } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import type { HistoryAnswer, HistoryMetric, Host } from '@qd/core/schemas'
import { type Annotation, maxLines, scaledPoints } from '@qd/core/view'
import { useMemo } from 'react'
import { charts$, compare, type Range, type Zoom } from '../../base/state/charts.ts'
import { records, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AnnotationLane, AnnotationSpans, useAnnotations } from './Annotations.tsx'
import * as css from './Charts.css.ts'
import { ComparePicker } from './ComparePicker.tsx'
import { type ChartLine, LineChart } from './LineChart.tsx'
import { figures, type HistorySource, type MetricFigure, spanOf, useChartTime } from './sources.ts'
import { useAnswer } from './use-answer.ts'

const none: readonly number[] = []

export function HistoryCharts({ id, range, source }: { id: number; range: Range; source: HistorySource }) {
  const { t, translator } = useTexts()
  const zoom = useValue(charts$.zoom)
  const compared = useValue(charts$.compared)
  const others = compared.subject === id ? compared.others : none
  const asked = useChartTime(range, zoom)
  const wanted = useMemo(() => [id, ...others.filter((other) => other !== id)], [id, others])
  const ids = useMemo(() => wanted.slice(0, maxLines), [wanted])
  const key = JSON.stringify([ids, range, asked])
  const { answer, error, isLoading } = useAnswer(key, source.calls(ids, range, asked), (answers) => ({
    asked,
    ids,
    parts: source.read(answers, range),
  }))
  const annotations = useAnnotations(id, asked)
  const hasPoints = answer?.parts.some(({ series }) => series.some(({ points }) => points.length > 0)) ?? false
  return (
    <div className={css.charts} aria-busy={isLoading}>
      <div className={css.tools}>
        {source.isFree && (
          <ComparePicker
            chosen={ids.slice(1)}
            subject={id}
            most={maxLines - 1}
            leftOut={wanted.length - ids.length}
            onChange={(next) => compare(id, next)}
          />
        )}
        {zoom && (
          <Button size="small" icon="undo-2" onPress={() => charts$.zoom.set(null)}>
            {t('ui.history.wholeRange')}
          </Button>
        )}
      </div>
      {error && <Note tone="bad" title={errorText(translator, error).title} />}
      {!answer && !error && <Skeleton width={280} />}
      {answer && !hasPoints && <Note title={t('ui.history.none')}>{t('ui.history.noneHelp')}</Note>}
      {answer && hasPoints && (
        <Figures
          ids={answer.ids}
          parts={answer.parts}
          asked={answer.asked}
          annotations={annotations}
          onZoom={(from, to) => charts$.zoom.set({ from, to })}
        />
      )}
    </div>
  )
}

const hostOf = (id: number) => (records.peek('server', id)?.host ?? {}) as Host

function Figures({
  ids,
  parts,
  asked,
  annotations,
  onZoom,
}: {
  ids: readonly number[]
  parts: readonly HistoryAnswer[]
  asked: Zoom
  annotations: readonly Annotation[]
  onZoom: (from: number, to: number) => void
}) {
  const texts = useTexts()
  const { say } = texts
  const isAlone = ids.length === 1
  const span = useMemo(() => spanOf(asked, firstItem(parts).step_ms), [asked, parts])
  const drawn = useMemo(() => {
    const pointsOf = (id: number, metric: HistoryMetric) =>
      parts.flatMap(({ series }) => series).find((one) => one.server_id === id && one.metric === metric)?.points ?? []
    const lineOf = (index: number, metric: MetricFigure, label: string): ChartLine => ({
      label,
      points: scaledPoints(pointsOf(ids[index]!, metric.metric), metric.metric, hostOf(ids[index]!)),
    })
    return figures
      .flatMap(({ label, metrics }) =>
        isAlone
          ? [{ title: say(label), metrics, lines: metrics.map((metric) => lineOf(0, metric, say(metric.label))) }]
          : metrics.map((metric) => ({
              title: say(metric.label),
              metrics: [metric],
              lines: ids.map((one, index) => lineOf(index, metric, view.title('server', one) ?? `#${one}`)),
            })),
      )
      .filter(({ lines }) => lines.some(({ points }) => points.length > 0))
  }, [ids, parts, isAlone, say])
  return drawn.map(({ title, metrics, lines }, index) => (
    <LineChart
      key={title}
      title={title}
      lines={lines}
      span={span}
      top={firstItem(metrics).top}
      sayValue={(value) => firstItem(metrics).say(value, texts)}
      onZoom={onZoom}
      above={
        annotations.length > 0 && <AnnotationLane annotations={annotations} range={asked} isReachable={index === 0} />
      }
      behind={<AnnotationSpans annotations={annotations} range={asked} />}
    />
  ))
}
