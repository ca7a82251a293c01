import type { HistoryPoint } from '@qd/core/schemas'
import { maxLines } from '@qd/core/view'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type uPlot from 'uplot'
import { useWidth } from '../../base/hooks/use-size.ts'
import { useTexts } from '../../base/state/texts.ts'
import { dark, light } from '../../base/theme/tokens.ts'
import { alignLines, lastKnown, type Span } from './align.ts'
import * as css from './Charts.css.ts'
import { createPlot, moveCursor } from './plot.ts'

export interface ChartLine {
  label: string
  points: readonly HistoryPoint[]
}

export interface LineChartProps {
  title: string
  lines: readonly ChartLine[]
  span: Span
  /** End of the scale; null: above the largest value. */
  top: number | null
  sayValue: (value: number) => string
  onZoom: (from: number, to: number) => void
  above?: ReactNode
  behind?: ReactNode
}

const height = 132
const dayMs = 86_400_000

export function LineChart({ title, lines: all, span, top, sayValue, onZoom, above, behind }: LineChartProps) {
  const { t, format } = useTexts()
  const root = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const width = useWidth(root)
  const theme = useThemeName()
  const [index, setIndex] = useState<number | null>(null)
  const lines = all.slice(0, maxLines)
  const aligned = useMemo(
    () =>
      alignLines(
        all.slice(0, maxLines).map(({ points }) => points),
        span,
      ),
    [all, span],
  )
  /** The time under the cursor, which stays when newer points come. */
  const cursorAt = useRef<number | null>(null)
  const latest = useRef({ sayValue, onZoom, format })
  latest.current = { sayValue, onZoom, format }
  useEffect(() => {
    if (!root.current || width === 0) return
    const isShort = span.to - span.from <= dayMs * 1.5
    const drawn = createPlot(root.current, aligned, {
      span,
      top,
      size: { width, height },
      colors: theme === 'dark' ? dark : light,
      sayTime: (at) => (isShort ? latest.current.format.instant(at, at) : latest.current.format.day(at)),
      sayValue: (value) => latest.current.sayValue(value),
      at: cursorAt.current,
      onIndex(index) {
        cursorAt.current = index === null ? null : (aligned.times[index] ?? null)
        setIndex(index)
      },
      onZoom: (from, to) => latest.current.onZoom(from, to),
    })
    plot.current = drawn
    return () => drawn.destroy()
  }, [aligned, span, top, width, theme])

  const shown = index ?? lastKnown(aligned)
  const at = shown === null ? undefined : aligned.times[shown]
  const values = lines.map(({ label }, line) => {
    const { mean, least, most } = aligned.lines[line]!
    const value = shown === null ? null : mean[shown]
    const [low, high] = shown === null ? [null, null] : [least[shown], most[shown]]
    const text = value === null || value === undefined ? t('ui.value.noData') : sayValue(value)
    const hasRange = lines.length === 1 && typeof low === 'number' && typeof high === 'number' && low < high
    return { label, text, range: hasRange ? t('ui.chart.range', { low: sayValue(low), high: sayValue(high) }) : null }
  })
  const time = at === undefined ? '' : format.instantLong(at)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined || !plot.current) return
    event.preventDefault()
    const next = (shown ?? 0) + step * (event.shiftKey ? 10 : 1)
    const to = aligned.times[Math.max(0, Math.min(aligned.times.length - 1, next))]!
    moveCursor(plot.current, to, true)
  }
  return (
    <figure className={css.figure}>
      <figcaption className={css.caption}>
        <span className={css.title}>{title}</span>
        {values.map(({ label, text, range }, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have places and no ids; two servers may have one name
          <span key={`${line} ${label}`} className={css.value}>
            {lines.length > 1 && <i className={css.keys[line as 0]} aria-hidden="true" />}
            {lines.length > 1 && `${label} `}
            <span className={css.number}>{text}</span>
            {range && ` ${range}`}
          </span>
        ))}
        <span className={css.time}>{time}</span>
      </figcaption>
      {above}
      <div className={css.frame}>
        {behind}
        <div
          ref={root}
          className={css.plot}
          role="slider"
          tabIndex={0}
          aria-label={t('ui.chart.label', { name: title })}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, aligned.times.length - 1)}
          aria-valuenow={shown ?? 0}
          aria-valuetext={[
            time,
            ...values.map(({ label, text, range }) => [label, text, range].filter(Boolean).join(' ')),
          ].join(', ')}
          onKeyDown={move}
          style={{ minHeight: height }}
        />
      </div>
    </figure>
  )
}

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** The current theme; a canvas doesn’t repaint by itself. */
function useThemeName(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? '')
}
