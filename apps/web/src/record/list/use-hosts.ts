import { useValue } from '@legendapp/state/react'
import type { Resource } from '@qd/core/define'
import { type HostTarget, hostTarget, rememberHostTarget } from '@qd/core/store'
import { useLocation } from 'react-router-dom'
import { navigate } from '../../act/places/navigate.ts'
import { records, remembered } from '../../base/state/stores.ts'

/** Which hosts the list reads, and how to change that. */
export interface Hosts extends HostTarget {
  readonly servers: number
  choose(on: string): void
}

/** The hosts of a list, by its address; null for records of the database, and until it is known how many servers there are. */
export function useHosts({ host }: Pick<Resource, 'host'>): Hosts | null {
  const { search } = useLocation()
  const servers = useValue(() => {
    const { loadedAt, ids } = records.list$('server').get()
    return loadedAt === null ? null : ids.length
  })
  if (!host || servers === null) return null
  return {
    ...hostTarget(new URLSearchParams(search).get('on'), servers, remembered),
    servers,
    choose(on) {
      rememberHostTarget(on, remembered)
      const next = new URLSearchParams(location.search)
      next.set('on', on)
      navigate(`${location.pathname}?${next}`)
    },
  }
}
