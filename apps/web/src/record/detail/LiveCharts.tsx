import { useValue } from '@legendapp/state/react'
import { type DetailFigure, fieldKey, fieldOf, type Resource, type Trend } from '@qd/core/define'
import { trendMs } from '@qd/core/store'
import { records, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Chart } from '../../ui/drawings/Sparkline.tsx'
import { useAbsence, useCell, useOfRow } from '../fields/cells.ts'
import * as css from './PanelFrame.css.ts'

export function LiveCharts({
  resource,
  id,
  figures,
}: {
  resource: Resource
  id: number
  figures: readonly DetailFigure[]
}) {
  const { t, format } = useTexts()
  return (
    <>
      <p className={css.muted}>{t('ui.panel.last', { span: format.duration(trendMs / 1000) })}</p>
      <div className={css.charts}>
        {figures.map((figure) => (
          <ChartFigure key={figure.field} resource={resource} id={id} figure={figure} />
        ))}
      </div>
    </>
  )
}

function ChartFigure({ resource, id, figure }: { resource: Resource; id: number; figure: DetailFigure }) {
  const { field, second, label, max } = figure
  const { say } = useTexts()
  const shown = useCell(resource, id, field)
  const other = useCell(resource, id, second ?? field)
  const points = useTrend(resource, id, field)
  const otherPoints = useTrend(resource, id, second ?? field)
  const foot = useNote(resource, id, figure.note)
  const definition = fieldOf(resource, field)
  const isAbsent = useAbsence(resource, id)
  const tone = isAbsent ? 'past' : shown?.tone === 'warn' || shown?.tone === 'bad' ? shown.tone : 'plain'
  const text = second
    ? `${shown?.text} / ${other?.text}`
    : definition.kind === 'percent'
      ? (shown?.full ?? shown?.text)
      : shown?.text
  return (
    <figure className={css.figure}>
      <figcaption className={css.caption}>
        {say(label ?? fieldKey(resource, field))}
        <span className={`${css.present} ${css.tones[tone]}`}>{text}</span>
      </figcaption>
      <Chart
        points={points}
        second={second ? otherPoints : undefined}
        max={max}
        threshold={max && 'limits' in definition ? definition.limits?.bad : undefined}
      />
      {second ? (
        <p className={css.foot}>
          <span className={css.legend}>{say(fieldKey(resource, field))}</span>
          <span className={css.legendSecond}>{say(fieldKey(resource, second))}</span>
        </p>
      ) : (
        <p className={css.foot} title={foot}>
          {foot}
        </p>
      )}
    </figure>
  )
}

function useTrend(resource: Resource, id: number, field: string): Trend {
  const json = useValue(() => {
    records.row$(resource.name, id).get()
    return JSON.stringify(view.trend(resource.name, id, field).map((value) => value && Math.round(value * 10) / 10))
  })
  return JSON.parse(json) as Trend
}

function useNote(resource: Resource, id: number, note: DetailFigure['note']): string {
  return useOfRow(resource, id, (row) => note?.(row, surface()) ?? '') ?? ''
}
