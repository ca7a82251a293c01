import type { AnyRow, Resource, View } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import {
  compareOrders,
  countOptions,
  optionsOf,
  parseSelection,
  predicateOf,
  type RowOrder,
  rowOrder,
  type Sort,
} from '@qd/core/targets'

export interface RowsWanted {
  options: readonly string[] | null
  ids?: readonly number[]
  before?: number
  offset?: number
  limit: number
}

export interface PageSource<Row extends { id: number }> {
  read(wanted: RowsWanted): Promise<readonly Row[]>
  counts(): Promise<Readonly<Record<string, number>>>
  /** Total; needed without a facet. Default: sum of `counts`. */
  readonly all?: number
  recordOf(row: Row): AnyRow
}

/** Rows per slice: a search through 20,000 incidents must not delay other calls. */
const sliceSize = 500
/** The parser is recursive. */
const maxSelection = 1000
const maxIds = 500

/** Returns one page of a list, with the number of matches and the counts per facet option (docs/reference/pagination.md). `q`: docs/reference/query-language.md. Errors: `invalid` for a bad query or an unknown field. */
export async function answerPage<Row extends { id: number }>(
  resource: Resource,
  query: URLSearchParams,
  { source, view }: { source: PageSource<Row>; view: View },
): Promise<string> {
  const page = readPage(query)
  const ids = readIdList(query)
  const sort = readSort(resource, query)
  const { selection } = readSelection(resource, {
    name: 'q',
    text: query.get('q') ?? '',
    isPartial: query.get('typing') === '1',
  })
  const asked = optionsOf(selection, resource, view)
  const options = narrowed(asked.options, named(resource, query))
  const counts = await source.counts()
  const { all = sum(counts, null) } = source
  const isPlain = asked.whole && sort === null && ids === null
  const found = isPlain
    ? { rows: await source.read({ options, ...page }), total: options === null ? all : sum(counts, options) }
    : await search(source, {
        wanted: { options, ...(ids && { ids }) },
        page,
        fits: predicateOf(selection, resource, view),
        recordOf: (row) => resource.read.parse(source.recordOf(row)),
        order: sort && { orderOf: rowOrder(resource, sort, view)!, compare: compareOrders(sort) },
      })
  return pageText(found.rows.map(source.recordOf), { ...page, total: found.total, all, counts })
}

interface Search<Row> {
  wanted: Pick<RowsWanted, 'options' | 'ids'>
  page: Page
  fits(record: AnyRow): boolean
  recordOf(row: Row): AnyRow
  order: { orderOf(record: AnyRow): RowOrder; compare(a: RowOrder, b: RowOrder): number } | null
}

/** Tests every row, in slices. For another order only the keys are kept, and the page's rows are read again. */
async function search<Row extends { id: number }>(
  source: PageSource<Row>,
  { wanted, page, fits, recordOf, order }: Search<Row>,
): Promise<{ rows: readonly Row[]; total: number }> {
  const orders: RowOrder[] = []
  const rows: Row[] = []
  let total = 0
  let slice: readonly Row[] = []
  do {
    const last = slice.at(-1)
    slice = await source.read({ ...wanted, limit: sliceSize, ...(last && { before: last.id }) })
    for (const row of slice) {
      const record = recordOf(row)
      if (!fits(record)) continue
      if (order) orders.push(order.orderOf(record))
      else if (total >= page.offset && total < page.offset + page.limit) rows.push(row)
      total += 1
    }
  } while (slice.length === sliceSize)
  if (!order) return { rows, total }
  const ids = orders
    .sort(order.compare)
    .slice(page.offset, page.offset + page.limit)
    .map(({ id }) => id)
  const read = await source.read({ options: null, ids, limit: ids.length })
  const byId = new Map(read.map((row) => [row.id, row]))
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total }
}

export function sourceOf<Row extends { id: number }>(
  resource: Resource,
  rows: readonly Row[],
  { recordOf, view }: Pick<PageSource<Row>, 'recordOf'> & { view: View },
): PageSource<Row> {
  const newest = [...rows].reverse()
  const hasOption = (row: Row, options: readonly string[]) => {
    const [option = ''] = Object.keys(countOptions(resource, [resource.read.parse(recordOf(row))], view))
    return options.includes(option)
  }
  return {
    recordOf,
    all: rows.length,
    counts: async () => countOptions(resource, rows.map(recordOf), view),
    async read({ options, ids, before, offset = 0, limit }) {
      const rest = before === undefined ? newest : newest.slice(newest.findIndex(({ id }) => id === before) + 1)
      return rest
        .filter(({ id }) => ids?.includes(id) ?? true)
        .filter((row) => options === null || hasOption(row, options))
        .slice(offset, offset + limit)
    },
  }
}

/** Reads the query in the parameter `name`. Errors: `invalid`. */
export function readSelection(
  resource: Resource,
  { name, text, isPartial = false }: { name: string; text: string; isPartial?: boolean },
) {
  if (text.length > maxSelection) throw refused(name, `${name} is longer than ${maxSelection} characters`)
  const parsed = parseSelection(resource, text, { partial: isPartial })
  if (parsed.ok) return parsed
  const { code, at, to } = parsed.problem
  throw refused(name, `${name}: ${code} at ${at}: ${text.slice(at, to)}`)
}

function readSort(resource: Resource, query: URLSearchParams): Sort | null {
  const field = query.get('sort')
  if (field === null) return null
  const order = query.get('order') === 'desc' ? 'desc' : 'asc'
  const definition = Object.hasOwn(resource.fields, field) ? resource.fields[field] : undefined
  if (!definition || definition.hidden) throw refused('sort', `sort: ${field} is not a field`)
  return field === resource.sort.field && order === resource.sort.order ? null : { field, order }
}

function readIdList(query: URLSearchParams): readonly number[] | null {
  const text = query.get('id')
  if (text === null) return null
  const ids = text.split(',').map(Number).filter(Number.isSafeInteger)
  if (ids.length > maxIds) throw refused('id', `id: at most ${maxIds} IDs`)
  return ids
}

/** Options given by the resource's own parameter (`wire.filter`). */
function named({ wire: { filter }, facet, fields }: Resource, query: URLSearchParams): readonly string[] | null {
  const values = filter !== null && filter === facet ? query.get(filter)?.split(',') : undefined
  const field = values && fields[filter!]
  if (!values || field?.kind !== 'choice') return null
  return Object.keys(field.options).filter((option) => values.includes(String(field.options[option])))
}

function narrowed(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return a ?? b
  return a.filter((option) => b.includes(option))
}

function sum(counts: Readonly<Record<string, number>>, options: readonly string[] | null): number {
  return Object.entries(counts).reduce(
    (total, [option, count]) => total + (options?.includes(option) === false ? 0 : count),
    0,
  )
}

function refused(field: string, text: string): AppError {
  return new AppError('invalid', { text }, { problems: [{ field, code: 'wrong' }] })
}

/** Page bounds (contract http-api 1.2; the maximum is ours, S-48). */
const usual = { limit: 25, most: 500 }

interface Page {
  offset: number
  limit: number
}

/** `total`: matches; `all` and `counts`: of the whole list. */
interface PageFacts extends Page {
  total: number
  all: number
  counts: Readonly<Record<string, number>>
}

function readPage(query: URLSearchParams): Page {
  const offset = numberIn(query.get('offset'), { min: 0, fallback: 0 })
  return { offset, limit: Math.min(numberIn(query.get('limit'), { min: 1, fallback: usual.limit }), usual.most) }
}

function pageText(records: readonly unknown[], { offset, limit, total, all, counts }: PageFacts): string {
  const pagination = { ...(offset > 0 && { offset }), limit, ...(total > 0 && { total }) }
  return JSON.stringify({ ...(records.length > 0 && { value: records }), pagination, all, counts })
}

function numberIn(text: string | null, { min, fallback }: { min: number; fallback: number }): number {
  const value = text !== null && /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= Number.MAX_SAFE_INTEGER ? value : fallback
}
