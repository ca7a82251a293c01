import { observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { Suspense } from 'react'
import { RangePicker, type Shown } from '../charts/RangePicker.tsx'
import { lazyPart } from '../part.ts'
import { session } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import * as css from './PanelFrame.css.ts'
import { ServerCharts } from './ServerCharts.tsx'

const HistoryCharts = lazyPart(async () => (await import('../charts/HistoryCharts.tsx')).HistoryCharts)

const shown: readonly Shown[] = ['live', 'hour', 'day', 'week', 'month', 'year']
/** The span stays while one goes from server to server. */
const range$ = observable<Shown>('live')

/** How a server is and was loaded: the last minutes live, or a span of its history. */
export function ServerLoad({ id }: { id: number }) {
  const { t } = useTexts()
  const isKept = useValue(() => session.supports('history'))
  const chosen = useValue(range$)
  const range = isKept ? chosen : 'live'
  return (
    <section className={css.section}>
      <div className={css.sectionHead}>
        <h2>{t('ui.panel.load')}</h2>
        {isKept && <RangePicker ranges={shown} value={range} onChange={(next) => range$.set(next)} />}
      </div>
      {range === 'live' ? (
        <ServerCharts id={id} />
      ) : (
        <Suspense fallback={<Skeleton width={280} />}>
          <HistoryCharts key={id} id={id} range={range} />
        </Suspense>
      )}
    </section>
  )
}
