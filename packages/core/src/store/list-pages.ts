import { type PageQuery, pageQuery, same } from '../actions/index.ts'
import type { Cancel, Ports } from '../api/index.ts'
import { parseSelection } from '../targets/index.ts'
import type { ListModel, Paged } from '../view/index.ts'
import type { ListState } from './collection.ts'
import type { Records } from './records.ts'

/** The server is asked when typing rests this long. */
const typingMs = 150

/** The part of a list that comes from the server in pages; of a list that comes whole it does nothing. */
export interface ListPages {
  /** What the server says of the list; undefined if it is whole. Tracked where observed. */
  paged(): Paged | undefined
  /** Asks for what the list is to show now, if that is something else than before. A filter with a mistake is not asked for. */
  ask(): void
  /** Asks for the next records unless all are here. */
  more(): Promise<void>
  /** Asks for everything that the filter lets through. False if the filter is another one by then, or not all came. */
  all(): Promise<boolean>
  /** Asks for nothing that is still to come. */
  stop(): void
}

/** What pages are built from. */
export interface ListPagesOptions {
  records: Pick<Records, 'list$' | 'load' | 'loadMore' | 'loadAll'>
  setTimer: Ports['setTimer']
  list: ListModel
  /** Records per request. */
  size: number
  /** Records before the first one, of a list that stands in pages. */
  offset?: number
}

/** Follows what a list wants. */
export function createListPages({ records, setTimer, list, size, offset = 0 }: ListPagesOptions): ListPages {
  const { resource } = list
  const { name } = resource
  const isPaged = resource.wire.paging === 'server'
  const query = (): PageQuery => {
    const { filter, typing, sort } = list
    return { ...pageQuery(resource, { filter, typing, sort, limit: size }), ...(offset > 0 && { offset }) }
  }
  let wanted = ''
  let asked = ''
  let cancel: Cancel = () => undefined
  const load = () => {
    const key = JSON.stringify(query())
    if (key === asked || !parseSelection(resource, list.filter, { partial: list.typing }).ok) return
    asked = key
    void records.load(name, query())
  }
  return {
    paged: () => (isPaged ? pagedOf(records.list$(name).get(), query()) : undefined),
    ask() {
      const key = JSON.stringify(query())
      if (!isPaged || key === wanted) return
      wanted = key
      cancel()
      if (list.typing) cancel = setTimer(load, typingMs)
      else load()
    },
    async more() {
      if (isPaged) await records.loadMore(name, size)
    },
    async all() {
      if (!isPaged) return true
      const before = list.filter.trim()
      load()
      if (records.list$(name).peek().status !== 'ready') await records.load(name)
      await records.loadAll(name)
      const now = records.list$(name).peek()
      return before === list.filter.trim() && now.status === 'ready' && now.ids.length >= (now.total ?? 0)
    },
    stop() {
      cancel()
      wanted = asked
    },
  }
}

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
