import * as z from 'zod'
import {
  type AnyRow,
  type ApiPort,
  atRecord,
  type Call,
  lazy,
  type Resource,
  readRows,
  readRowsInPieces,
} from '../define/index.ts'
import { AppError } from '../errors.ts'
import type { Sort } from '../targets/index.ts'
import type { Listed } from './listed.ts'
import { createHostReading, type HostProgress, readHosts } from './read-hosts.ts'

export interface PageWanted {
  filter: string
  /** The filter is still being typed, so its last word may be incomplete. */
  typing?: boolean
  sort: Sort
  limit: number
}

/** The query for a paged list (docs/reference/pagination.md). Omits the list’s own order. */
export function pageQuery(resource: Resource, { filter, typing = false, sort, limit }: PageWanted): PageQuery {
  const q = filter.trim()
  const isOwn = sort.field === resource.sort.field && sort.order === resource.sort.order
  return {
    limit,
    ...(q === '' ? {} : { q, ...(typing ? { typing: 1 } : {}) }),
    ...(isOwn ? {} : { sort: sort.field, order: sort.order }),
  }
}

export type PageQuery = Readonly<Record<string, string | number>>

const numbers = lazy(() => z.record(z.string(), z.number()))
/** A paged response. Source: contract http-api 1.2; `all` and `counts`: docs/reference/pagination.md. */
const page = lazy(() =>
  z.object({
    value: z.unknown().optional(),
    pagination: z.object({ total: z.number().catch(0) }).catch({ total: 0 }),
    all: z.number().optional().catch(undefined),
    counts: numbers().catch({}),
  }),
)
const noPage = { value: [], pagination: { total: 0 }, counts: {} }

/** Reads a whole list, or its first `query.limit` records if the server pages it. A single record is a list of one. */
export async function listRecords(
  api: ApiPort,
  resource: Resource,
  query?: Call['query'],
  progress?: HostProgress,
): Promise<Listed> {
  // Of hosts, those that `query.on` selects are asked.
  if (resource.host)
    return readHosts(api, resource, progress ?? { reading: createHostReading(String(query?.on ?? '')) })
  const { calls, load, shape, paging } = resource.wire
  const answer = await api.send({ ...calls.list, ...(query && { query }) })
  const data = load && Array.isArray(answer) ? await load(answer, api) : answer
  if (shape === 'one') return { ...readRows(resource, [data]), total: null, pages: null }
  if (paging === 'all') return { ...(await readRowsInPieces(resource, data, api.pause)), total: null, pages: null }
  const { value, pagination, all, counts } = page().catch(noPage).parse(data)
  const pages = all === undefined ? null : { all, counts }
  const first = { ...(await readRowsInPieces(resource, value, api.pause)), total: pagination.total, pages }
  const { limit = 0, offset = 0 } = query ?? {}
  const got = first.rows.length + first.bad.length
  const left = Math.min(Number(limit), first.total - Number(offset)) - got
  if (got === 0 || left <= 0) return first
  // Servers limit a page’s size.
  const rest = await listRecords(api, resource, { ...query, limit: left, offset: Number(offset) + got })
  return { ...rest, rows: [...first.rows, ...rest.rows], bad: [...first.bad, ...rest.bad] }
}

/** Errors: `notFound`, `badAnswer` if the record is invalid. */
export async function readRecord(api: ApiPort, resource: Resource, id: number): Promise<AnyRow> {
  const { calls, shape, verbs } = resource.wire
  if (shape === 'many' && !verbs.includes('get')) {
    const { rows } = await listRecords(api, resource, { id })
    return rows.find((row) => row.id === id) ?? fail(new AppError('notFound', { resource: resource.name, id }))
  }
  const data = await api.send({ ...calls.get, path: atRecord(calls.get, id) })
  if (data === null) throw new AppError('notFound', { resource: resource.name, id })
  const { rows, bad } = readRows(resource, [data])
  return rows[0] ?? fail(new AppError('badAnswer', { reason: bad[0]?.reason ?? '' }))
}

function fail(error: AppError): never {
  throw error
}
