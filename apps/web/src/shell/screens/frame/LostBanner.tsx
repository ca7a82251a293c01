import { useValue } from '@legendapp/state/react'
import { Suspense } from 'react'
import { capsOf } from '../../../act/keys/keys.ts'
import { useSeconds } from '../../../base/hooks/use-seconds.ts'
import { lazyPart } from '../../../base/state/lazy-part.ts'
import { live } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Banner } from '../../../ui/Note.tsx'

// The page came, so this comes too: only the feed never did.
const ProxyAdvice = lazyPart(async () => (await import('./ProxyAdvice.tsx')).ProxyAdvice)

/** Said while the live feed is broken: what is shown is old, when the next try comes, and the key that does not wait. */
export function LostBanner() {
  const { t, format } = useTexts()
  const feed = useValue(live.state$.feed)
  const heardAt = useValue(() => (live.state$.feed.status.get() === 'lost' ? live.state$.heardAt.get() : null))
  const now = useSeconds(feed.status === 'lost')
  if (feed.status !== 'lost') return null
  const seconds = (from: number, to: number) => format.duration(Math.max(0, Math.round((to - from) / 1000)))
  const isTrying = feed.retryAt <= now
  return (
    <Banner
      tone="warn"
      title={t('ui.live.lost')}
      action={
        <Button caps={capsOf('reload')} onPress={() => live.retryNow()}>
          {t('ui.live.tryNow')}
        </Button>
      }
    >
      {heardAt !== null && `${t('ui.live.known', { time: format.clock(heardAt), span: seconds(heardAt, now) })} `}
      <Suspense>{heardAt === null && <ProxyAdvice />}</Suspense>
      {isTrying ? t('ui.live.trying') : t('ui.live.again', { span: seconds(now, feed.retryAt) })}
    </Banner>
  )
}
