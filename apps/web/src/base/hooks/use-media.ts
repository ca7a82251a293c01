import { useSyncExternalStore } from 'react'
import { media } from '../theme/rules.ts'

export function useMedia(name: keyof typeof media): boolean {
  const query = matchMedia(media[name])
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
