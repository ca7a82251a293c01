import * as z from 'zod'
import {
  type AnyRow,
  type ApiPort,
  atRecord,
  type BadRow,
  type Call,
  lazy,
  type Resource,
  readRows,
  readRowsInPieces,
} from '../define/index.ts'
import { AppError } from '../errors/index.ts'
import type { Sort } from '../targets/index.ts'

/** A list as it came: good rows in the server's order, bad ones with their reasons, and what the server says of the rest where it pages. */
export interface Listed {
  rows: readonly AnyRow[]
  bad: readonly BadRow[]
  /** How many records match the query, whatever its limit; null if the list is whole. */
  total: number | null
  /** The whole list, whatever the query; null if the list is whole or the server does not say. */
  pages: { readonly all: number; readonly counts: Readonly<Record<string, number>> } | null
}

/** What is asked of a list that the server pages. */
export interface PageWanted {
  /** Text of the selection language. */
  filter: string
  /** The filter is still being typed, so its last word may be unfinished. */
  typing?: boolean
  sort: Sort
  limit: number
}

/** The query of a list that the server pages (docs/reference/pagination.md). What is the list's own is left out. */
export function pageQuery(resource: Resource, { filter, typing = false, sort, limit }: PageWanted): PageQuery {
  const q = filter.trim()
  const isOwn = sort.field === resource.sort.field && sort.order === resource.sort.order
  return {
    limit,
    ...(q === '' ? {} : { q, ...(typing ? { typing: 1 } : {}) }),
    ...(isOwn ? {} : { sort: sort.field, order: sort.order }),
  }
}

/** As it goes on the wire. */
export type PageQuery = Readonly<Record<string, string | number>>

const numbers = lazy(() => z.record(z.string(), z.number()))
/** An answer of a list that comes in pages. Source: contract http-api 1.2; `all` and `counts` docs/reference/pagination.md. */
const page = lazy(() =>
  z.object({
    value: z.unknown().optional(),
    pagination: z.object({ total: z.number().catch(0) }).catch({ total: 0 }),
    all: z.number().optional().catch(undefined),
    counts: numbers().catch({}),
  }),
)
const noPage = { value: [], pagination: { total: 0 }, counts: {} }

/** Reads a whole list, or the first `query.limit` of it where the server pages. A single record is a list of one. */
export async function listRecords(api: ApiPort, resource: Resource, query?: Call['query']): Promise<Listed> {
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
  // A server gives only so many at once.
  const rest = await listRecords(api, resource, { ...query, limit: left, offset: Number(offset) + got })
  return { ...rest, rows: [...first.rows, ...rest.rows], bad: [...first.bad, ...rest.bad] }
}

/** Reads one record. Errors: `notFound` without it, `badAnswer` where it cannot be read. */
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
