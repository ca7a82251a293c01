import { useValue } from '@legendapp/state/react'
import { fieldKey, fieldValue } from '@qd/core/define'
import { server } from '@qd/core/resources'
import type { Host, HostState } from '@qd/core/schemas'
import { useCell } from '../fields/cells.ts'
import { records, view } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Chart, trendSlots } from '../ui/Sparkline.tsx'
import * as css from './PanelFrame.css.ts'

/** Seconds between two points of a trend. */
const pointS = 5

interface Figure {
  field: string
  second?: string
  max?: number
}

const figures: readonly Figure[] = [
  { field: 'cpu', max: 100 },
  { field: 'memory', max: 100 },
  { field: 'disk', max: 100 },
  { field: 'net_in', second: 'net_out' },
  { field: 'load' },
  { field: 'swap', max: 100 },
]

/** Six charts of the last minutes, from the live samples. */
export function ServerCharts({ id }: { id: number }) {
  const { t, format } = useTexts()
  return (
    <>
      <p className={css.muted}>{t('ui.panel.last', { span: format.duration(trendSlots.most * pointS) })}</p>
      <div className={css.charts}>
        {figures.map((figure) => (
          <ChartFigure key={figure.field} id={id} {...figure} />
        ))}
      </div>
    </>
  )
}

function ChartFigure({ id, field, second, max }: Figure & { id: number }) {
  const { t, say } = useTexts()
  const shown = useCell(server, id, field, false)
  const other = useCell(server, id, second ?? field, false)
  const points = useTrend(id, field)
  const otherPoints = useTrend(id, second ?? field)
  const foot = useFoot(id, field)
  const definition = server.fields[field]!
  const tone = shown?.tone === 'warn' || shown?.tone === 'bad' ? shown.tone : 'plain'
  const text = second
    ? `${shown?.text} / ${other?.text}`
    : definition.kind === 'percent'
      ? (shown?.full ?? shown?.text)
      : shown?.text
  return (
    <figure className={css.figure}>
      <figcaption className={css.caption}>
        {second ? t('ui.panel.network') : say(fieldKey(server, field))}
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
          <Legend />
        </p>
      ) : (
        <p className={css.foot} title={foot}>
          {foot}
        </p>
      )}
    </figure>
  )
}

function Legend() {
  const { say } = useTexts()
  return (
    <>
      <span className={css.legend}>{say(fieldKey(server, 'net_in'))}</span>
      <span className={css.legendSecond}>{say(fieldKey(server, 'net_out'))}</span>
    </>
  )
}

function useTrend(id: number, field: string): readonly number[] {
  const json = useValue(() => {
    records.row$('server', id).get()
    return JSON.stringify(view.trend('server', id, field).map((value) => Math.round(value * 10) / 10))
  })
  return JSON.parse(json) as readonly number[]
}

/** The line of context below a chart. */
function useFoot(id: number, field: string): string {
  const { t, format } = useTexts()
  return useValue(() => {
    const row = records.row$('server', id).get()
    if (!row) return ''
    const host = row.host as Host
    const state = row.state as HostState
    const of = (used?: number, total?: number) =>
      total ? t('ui.panel.usedOf', { used: format.bytes(used ?? 0), total: format.bytes(total) }) : ''
    const loads = [state.load_5, state.load_15].map((load) => format.number(load ?? 0, 2, true))
    const feet: Record<string, string> = {
      cpu: host.cpu?.[0] ?? '',
      memory: of(state.mem_used, host.mem_total),
      disk: of(state.disk_used, host.disk_total),
      swap: of(state.swap_used, host.swap_total),
      load:
        fieldValue(server, row, 'load', view) === null
          ? ''
          : t('ui.panel.loads', { five: loads[0]!, fifteen: loads[1]! }),
    }
    return feet[field] ?? ''
  })
}
