import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'
import { fonts, type light } from '../../base/theme/tokens.ts'
import { roundUp } from '../../ui/drawings/path.ts'
import { type Aligned, plotInsets, type Span } from './align.ts'

/** Colors and dashes by line index (tokens.md 6); the last is for all others. */
const lineStyles = [
  { color: 'c1', dash: [] },
  { color: 'c2', dash: [3, 2] },
  { color: 'c3', dash: [6, 2] },
  { color: 'c4', dash: [1, 2] },
  { color: 'c0', dash: [1, 4] },
] as const

/** Values without a neighbor, which need a dot because no line shows them. */
function alone(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? []
  return [...values.keys()].filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  )
}

export interface PlotOptions {
  span: Span
  size: { width: number; height: number }
  /** End of the scale; null: a round figure above the largest value. */
  top: number | null
  sayTime: (at: number) => string
  sayValue: (value: number) => string
  colors: typeof light
  /** Where the cursor stands at first, epoch ms; null: nowhere. */
  at: number | null
  onIndex: (index: number | null) => void
  onZoom: (from: number, to: number) => void
}

const syncKey = 'page'

/** `tell`: whether the other charts of the page follow. */
export function moveCursor(plot: uPlot, at: number, tell: boolean): void {
  // uPlot's types lack the last argument.
  const setCursor = plot.setCursor as (place: { left: number; top: number }, fire: boolean, tell: boolean) => void
  setCursor({ left: plot.valToPos(at, 'x'), top: 10 }, true, tell)
}

/** One line is drawn with its band from minimum to maximum, several without. */
export function createPlot(root: HTMLElement, { times, lines }: Aligned, options: PlotOptions): uPlot {
  const { span, size, top, sayTime, sayValue, colors, at, onIndex, onZoom } = options
  const hasBand = lines.length === 1
  const font = `11px ${fonts.sans}`
  const axis = { stroke: colors.faint, font, ticks: { show: false }, grid: { stroke: colors.line, width: 1 } }
  const series: uPlot.Series[] = lines.flatMap((_, index) => {
    const { color, dash } = lineStyles[index % lineStyles.length]!
    const stroke = colors[color]
    const line: uPlot.Series = {
      stroke,
      width: 1.5,
      dash: [...dash],
      points: { size: 4, fill: stroke, show: true, filter: alone },
    }
    const edge: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false } }
    return hasBand ? [line, edge, edge] : [line]
  })
  const data = [
    times,
    ...lines.flatMap(({ mean, least, most }) => (hasBand ? [mean, most, least] : [mean])),
  ] as uPlot.AlignedData
  return new uPlot(
    {
      ...size,
      ms: 1,
      legend: { show: false },
      padding: [plotInsets.top, plotInsets.right, 0, 0],
      cursor: {
        y: false,
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        // By time, because charts of a page may show different spans.
        sync: { key: syncKey, scales: ['x', null] },
      },
      scales: {
        x: { time: true, min: span.from, max: span.to },
        y: { range: (_plot, _least, most) => [0, top ?? roundUp((most ?? 0) * 1.05)] },
      },
      axes: [
        { ...axis, space: 88, size: plotInsets.bottom, gap: 4, values: (_plot, splits) => splits.map(sayTime) },
        { ...axis, space: 32, size: plotInsets.left, gap: 6, values: (_plot, splits) => splits.map(sayValue) },
      ],
      series: [{}, ...series],
      bands: hasBand ? [{ series: [2, 3], fill: colors['c1-area'] }] : [],
      hooks: {
        ready: [(plot) => at !== null && at >= span.from && at <= span.to && moveCursor(plot, at, false)],
        setCursor: [({ cursor }) => onIndex(cursor.idx ?? null)],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select
            if (width < 4) return
            onZoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'))
          },
        ],
      },
    },
    data,
    root,
  )
}
