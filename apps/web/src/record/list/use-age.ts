import { useValue } from '@legendapp/state/react'
import { useSeconds } from '../../base/hooks/use-seconds.ts'
import { live } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'

/** How old the live figures are, in words; null while they are live. */
export function useAge(isLost: boolean): string | null {
  const { t, format } = useTexts()
  const heardAt = useValue(() => (isLost ? live.state$.heardAt.get() : null))
  const now = useSeconds(isLost)
  if (heardAt === null) return null
  return t('ui.live.old', { span: format.duration(Math.max(0, Math.round((now - heardAt) / 1000))) })
}
