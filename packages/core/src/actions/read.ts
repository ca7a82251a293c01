import * as z from 'zod'
import { type AnyRow, type ApiPort, type BadRow, type Call, type Resource, readRows } from '../define/index.ts'
import { AppError } from '../errors/index.ts'

/** A list as it came: good rows in the server's order, bad ones with their reasons, and how many there are where the server pages. */
export interface Listed {
  rows: readonly AnyRow[]
  bad: readonly BadRow[]
  total: number | null
}

/** An answer of a list that comes in pages. Source: contract http-api 1.2. */
const page = z.object({
  value: z.unknown().optional(),
  pagination: z.object({ total: z.number().catch(0) }).catch({ total: 0 }),
})

/** Reads a whole list, or the first `query.limit` of it where the server pages. A single record is a list of one. */
export async function listRecords(api: ApiPort, resource: Resource, query?: Call['query']): Promise<Listed> {
  const { listPath, shape, paging } = resource.wire
  const data = await api.send({ method: 'GET', path: listPath, ...(query ? { query } : {}) })
  if (shape === 'one') return { ...readRows(resource, [data]), total: null }
  if (paging === 'all') return { ...readRows(resource, data), total: null }
  const { value, pagination } = page.catch({ value: [], pagination: { total: 0 } }).parse(data)
  const first = { ...readRows(resource, value), total: pagination.total }
  const { limit = 0, offset = 0 } = query ?? {}
  const got = first.rows.length + first.bad.length
  const left = Math.min(Number(limit), first.total - Number(offset)) - got
  if (got === 0 || left <= 0) return first
  // A server gives only so many at once.
  const rest = await listRecords(api, resource, { ...query, limit: left, offset: Number(offset) + got })
  return { rows: [...first.rows, ...rest.rows], bad: [...first.bad, ...rest.bad], total: rest.total }
}

/** Reads one record. Errors: `notFound` without it, `badAnswer` where it cannot be read. */
export async function readRecord(api: ApiPort, resource: Resource, id: number): Promise<AnyRow> {
  const { path, shape, verbs } = resource.wire
  if (shape === 'many' && !verbs.includes('get')) {
    const { rows } = await listRecords(api, resource, { id })
    return rows.find((row) => row.id === id) ?? fail(new AppError('notFound', { resource: resource.name, id }))
  }
  const data = await api.send({ method: 'GET', path: shape === 'one' ? path : `${path}/${id}` })
  if (data === null) throw new AppError('notFound', { resource: resource.name, id })
  const { rows, bad } = readRows(resource, [data])
  return rows[0] ?? fail(new AppError('badAnswer', { reason: bad[0]?.reason ?? '' }))
}

function fail(error: AppError): never {
  throw error
}
