import { useValue } from '@legendapp/state/react'
import { useEffect, useState } from 'react'
import { live } from '../app.ts'
import { useTexts } from '../texts.ts'

/** The present second, ticking only while asked to. */
export function useSeconds(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}

/** How old the live figures are, in words; null while they are live. */
export function useAge(isLost: boolean): string | null {
  const { t, format } = useTexts()
  const heardAt = useValue(live.state$.heardAt)
  const now = useSeconds(isLost)
  if (!isLost || heardAt === null) return null
  return t('ui.live.old', { span: format.duration(Math.max(0, Math.round((now - heardAt) / 1000))) })
}
