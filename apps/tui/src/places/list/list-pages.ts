import { type PageQuery, pageQuery } from '@qd/core/actions'
import type { Resource } from '@qd/core/define'
import { pagedOf } from '@qd/core/store'
import { parseSelection } from '@qd/core/targets'
import type { Paged, Sort, Table } from '@qd/core/view'
import type { Ui } from '../../screen/state/ui.ts'

/** Records per further request of a list that the server pages. */
const pageRows = 100
/** Distance to the last loaded record at which the next ones are requested. */
const nearRows = 10
/** The server is asked when typing rests this long. */
const typingMs = 150

/** What a list is to show. */
export interface ListWanted {
  readonly filter: string
  readonly typing: boolean
  readonly sort: Sort
}

/** The part of a list that comes from the server in pages; of a list that comes whole it does nothing. */
export interface ListPages {
  /** What the server says of the list; undefined if it is whole. */
  paged(): Paged | undefined
  /** Asks for what the list is to show now, where that is something else than before. A filter with a mistake is not asked for. */
  ask(): void
  /** Asks for more when this place comes near the end of what is here. */
  near(index: number): void
  /** Asks for everything that the filter lets through. False if the list wants something else by then, or not all came. */
  all(): Promise<boolean>
}

/** Follows what a list wants. */
export function createListPages(ui: Ui, resource: Resource, wanted: () => ListWanted): ListPages {
  const { records } = ui.workspace
  const isPaged = resource.wire.paging === 'server'
  const query = (): PageQuery => pageQuery(resource, { ...wanted(), limit: pageRows })
  const list = () => records.list$(resource.name).peek()
  let asked = ''
  let cancel = () => {}
  const load = () => {
    const { filter, typing } = wanted()
    const key = JSON.stringify(query())
    if (key === asked || !parseSelection(resource, filter, { partial: typing }).ok) return
    asked = key
    void records.load(resource.name, query())
  }
  return {
    paged: () => (isPaged ? pagedOf(list(), query()) : undefined),
    ask() {
      if (!isPaged) return
      cancel()
      if (wanted().typing) cancel = ui.io.setTimer(load, typingMs)
      else load()
    },
    near(index) {
      if (isPaged && index + nearRows >= list().ids.length) void records.loadMore(resource.name, pageRows)
    },
    async all() {
      const before = JSON.stringify(query())
      load()
      await records.load(resource.name)
      await records.loadAll(resource.name)
      const now = list()
      return before === JSON.stringify(query()) && now.status === 'ready' && now.ids.length >= (now.total ?? 0)
    },
  }
}

/** How many records the filter lets through, of how many there are. */
export function countText(ui: Ui, { matched, total }: Pick<Table, 'matched' | 'total'>, short: boolean): string {
  const { format, translator } = ui.workspace
  if (matched === total) return format.number(total)
  if (short) return `${format.number(matched)}/${format.number(total)}`
  return translator.t('ui.tui.list.ofTotal', { shown: matched, total })
}
