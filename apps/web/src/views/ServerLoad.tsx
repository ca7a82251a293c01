import { observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { Suspense } from 'react'
import { RangePicker, type Shown } from '../charts/RangePicker.tsx'
import { sourceFor } from '../charts/sources.ts'
import { lazyPart } from '../lazy-part.ts'
import { session } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import * as css from './PanelFrame.css.ts'
import { ServerCharts } from './ServerCharts.tsx'

const HistoryCharts = lazyPart(async () => (await import('../charts/HistoryCharts.tsx')).HistoryCharts)

/** The span stays while one goes from server to server. */
const range$ = observable<Shown>('live')

/** How a server is and was loaded: the last minutes live, or a span of its history. */
export function ServerLoad({ id }: { id: number }) {
  const { t } = useTexts()
  const isOwn = useValue(() => session.supports('history'))
  const source = sourceFor(isOwn)
  const shown: readonly Shown[] = ['live', ...source.ranges]
  const chosen = useValue(range$)
  const range = shown.includes(chosen) ? chosen : 'live'
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <h2>{t('ui.panel.load')}</h2>
        <RangePicker ranges={shown} value={range} onChange={(next) => range$.set(next)} />
      </div>
      {range === 'live' ? (
        <ServerCharts id={id} />
      ) : (
        <Suspense fallback={<Skeleton width={280} />}>
          <HistoryCharts key={id} id={id} range={range} source={source} />
        </Suspense>
      )}
    </section>
  )
}
