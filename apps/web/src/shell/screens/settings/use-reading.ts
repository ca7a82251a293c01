import { useValue } from '@legendapp/state/react'
import type { ResourceName } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { useEffect, useRef } from 'react'
import { isFormOpen } from '../../../base/state/form-leaving.ts'
import { records } from '../../../base/state/stores.ts'

/**
 * Reloads a page's single record. `isRead` once answered, or embedded in the page; `error` if the first call failed.
 * Later failures, and failures while typing, don't replace the page.
 */
export function useReading(name: ResourceName): { isRead: boolean; error: AppError | null } {
  const list$ = records.list$(name)
  const { status, error, loadedAt } = useValue(() => {
    const { status, error, loadedAt } = list$.get()
    return { status, error, loadedAt }
  })
  const knownAt = useRef(loadedAt)
  useEffect(() => records.watch(name), [name])
  const isRead = useRef(false)
  const failed = useRef<AppError | null>(null)
  if (status === 'ready') {
    isRead.current = true
    failed.current = null
  }
  if (status === 'failed' && loadedAt === knownAt.current && !isFormOpen()) failed.current = error
  return { isRead: isRead.current, error: failed.current }
}
