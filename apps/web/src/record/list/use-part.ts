import type { Resource } from '@qd/core/define'
import { useMemo } from 'react'
import { useLocation } from 'react-router-dom'

export interface Part {
  page: number
  size: number
}

/** Product spec 2, "Online-user and WAF pages". */
const usual = { page: 1, size: 10 }
const maxPageSize = 200

export function usePart({ pages }: Pick<Resource, 'pages'>): Part | null {
  const { search } = useLocation()
  const asked = new URLSearchParams(search)
  const page = numberIn(asked.get('page'), usual.page)
  const size = Math.min(numberIn(asked.get('pageSize'), usual.size), maxPageSize)
  return useMemo(() => (pages ? { page, size } : null), [pages, page, size])
}

function numberIn(text: string | null, fallback: number): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : fallback
}

export function pageAddress(page: number): string {
  const search = new URLSearchParams(location.search)
  if (page === 1) search.delete('page')
  else search.set('page', String(page))
  return `${location.pathname}${search.size === 0 ? '' : `?${search}`}`
}
