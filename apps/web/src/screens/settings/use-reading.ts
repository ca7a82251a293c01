import { useValue } from '@legendapp/state/react'
import type { ResourceName } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { useRef } from 'react'
import { records } from '../../state/stores.ts'

/** How the one record of a page stands: `isRead` once it came, else why it did not. After it came, a failure is no reason to take the page away from who types in it. */
export function useReading(name: ResourceName): { isRead: boolean; error: AppError | null } {
  const status = useValue(records.list$(name).status)
  const error = useValue(records.list$(name).error)
  const seen = useRef<{ isRead: boolean; error: AppError | null }>({ isRead: false, error: null })
  if (status === 'ready') seen.current = { isRead: true, error: null }
  else if (status === 'failed' && !seen.current.isRead) seen.current = { isRead: false, error }
  return seen.current
}
