import { type PageQuery, pageQuery, same } from '../actions/index.ts'
import type { Cancel, Ports } from '../api/index.ts'
import { parseSelection } from '../targets/index.ts'
import type { ListModel, Paged } from '../view/index.ts'
import type { ListState } from './collection.ts'
import type { Records } from './records.ts'

/** The server is queried when typing pauses this long. */
const typingMs = 150

/** Loads a paged list. Does nothing for a complete list. */
export interface ListPages {
  /** The server’s counts; undefined if the list is complete. Tracked by observers. */
  paged(): Paged | undefined
  /** Loads what the list should show now, if that changed. Skips an invalid filter. */
  ask(): void
  more(): Promise<void>
  /** Loads all matches. False if the filter changed meanwhile, or not all came. */
  all(): Promise<boolean>
  stop(): void
}

export interface ListPagesOptions {
  records: Pick<Records, 'list$' | 'load' | 'loadMore' | 'loadAll'>
  setTimer: Ports['setTimer']
  list: ListModel
  size: number
  offset?: number
}

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

/** Undefined for a complete list. While the rows are from another query than `wanted`, they are filtered and sorted here. */
export function pagedOf({ total, pages, query }: ListState, wanted: PageQuery): Paged | undefined {
  if (total === null || pages === null) return undefined
  return { ...pages, matched: total, isCurrent: same(withoutPart(query), withoutPart(wanted)) }
}

function withoutPart({ limit: _limit, offset: _offset, ...query }: PageQuery): PageQuery {
  return query
}
