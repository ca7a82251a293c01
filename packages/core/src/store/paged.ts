import { type PageQuery, same } from '../actions/index.ts'
import type { Paged } from '../view/index.ts'
import type { ListState } from './collection.ts'

/**
 * What a table is told of a list that the server pages; undefined if the list is whole. `wanted` is what the list is to show now: while
 * the rows are those of an earlier query, they are filtered and ordered here until its answer comes.
 */
export function pagedOf({ total, pages, query }: ListState, wanted: PageQuery): Paged | undefined {
  if (total === null || pages === null) return undefined
  return { ...pages, matched: total, isCurrent: same(withoutPart(query), withoutPart(wanted)) }
}

/** A query without what says how many of its records are asked for. */
function withoutPart({ limit: _limit, offset: _offset, ...query }: PageQuery): PageQuery {
  return query
}
