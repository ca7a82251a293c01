import { useValue } from '@legendapp/state/react'
import { Suspense } from 'react'
import { charts$ } from '../../base/state/charts.ts'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { session } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RangePicker, type Shown } from '../charts/RangePicker.tsx'
import { sourceFor } from '../charts/sources.ts'
import { LiveCharts } from './LiveCharts.tsx'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

const HistoryCharts = lazyPart(async () => (await import('../charts/HistoryCharts.tsx')).HistoryCharts)

/** The load of a server: the last minutes live, or a span of its history. */
export function Figures({ resource, id, section }: SectionProps<'figures'>) {
  const { t } = useTexts()
  const isOwn = useValue(() => session.supports('history'))
  const source = sourceFor(isOwn)
  const shown: readonly Shown[] = ['live', ...source.ranges]
  const chosen = useValue(charts$.range)
  const range = shown.find((one) => one === chosen) ?? 'live'
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <h2>{t('ui.panel.load')}</h2>
        <RangePicker ranges={shown} value={range} onChange={(next) => charts$.range.set(next)} />
      </div>
      {range === 'live' ? (
        <LiveCharts resource={resource} id={id} figures={section.figures} />
      ) : (
        <Suspense fallback={<Skeleton width={280} />}>
          <HistoryCharts key={id} id={id} range={range} source={source} />
        </Suspense>
      )}
    </section>
  )
}
