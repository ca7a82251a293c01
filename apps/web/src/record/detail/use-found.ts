import { useValue } from '@legendapp/state/react'
import type { PageQuery } from '@qd/core/actions'
import type { ResourceName } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { useEffect, useState } from 'react'
import { records } from '../../base/state/stores.ts'

export interface Found {
  ids: readonly number[] | null
  error: AppError | null
}

/** Queries a server-paged list, whether its records are loaded or not; again when the list reloads. `query` null: no request. */
export function useFound(name: ResourceName, query: PageQuery | null): Found {
  const [found, set] = useState<Found>({ ids: null, error: null })
  const loadedAt = useValue(records.list$(name).loadedAt)
  const key = query && JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was read again may have changed
  useEffect(() => {
    if (key === null) return
    let isWanted = true
    records.find(name, JSON.parse(key) as PageQuery).then(
      (ids) => isWanted && set({ ids, error: null }),
      (thrown: unknown) => isWanted && set((before) => ({ ...before, error: toAppError(thrown) })),
    )
    return () => {
      isWanted = false
    }
  }, [name, key, loadedAt])
  return found
}
