import { useValue } from '@legendapp/state/react'
import { setting } from '@qd/core/resources'
import { OfferButton } from '../../../act/offers/OfferButton.tsx'
import { offers } from '../../../act/offers/offers.ts'
import { useSeconds } from '../../../base/hooks/use-seconds.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Banner } from '../../../ui/Note.tsx'

/** Settings that were saved on trial: when the former ones come back, and what ends the trial before (behaviour D6). */
export function TrialBanner({ until }: { until: string }) {
  const texts = useTexts()
  const { t, format } = texts
  const left = Math.max(0, Math.ceil((Date.parse(until) - useSeconds(true)) / 1000))
  const offered = useValue(() => offers(setting, [], texts)).filter(({ action }) => ends.includes(action.name))
  return (
    <Banner
      tone="warn"
      title={t('ui.settings.trial', { span: format.duration(left) })}
      action={offered.map((offer) => <OfferButton key={offer.action.name} offer={offer} />)}
    />
  )
}

const ends: readonly string[] = ['keep', 'revert']
