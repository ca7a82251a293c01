import { useValue } from '@legendapp/state/react'
import { allowed, type Resource, titleOf } from '@qd/core/define'
import type { ListPages } from '@qd/core/store'
import { type ListModel, pagesShown } from '@qd/core/view'
import {
  type FocusEvent,
  type KeyboardEvent,
  Suspense,
  type UIEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link, Navigate } from 'react-router-dom'
import type { OpenRowMenu } from '../../act/action-items/RowMenu.tsx'
import { capsOf } from '../../act/keys/keys.ts'
import { perform } from '../../act/perform/lazy-perform.ts'
import { navigate } from '../../act/places/navigate.ts'
import { useFamily } from '../../act/places/navigation.ts'
import { useWidth } from '../../base/hooks/use-size.ts'
import { useSeconds } from '../../base/hooks/use-timers.ts'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { page$ } from '../../base/state/page.ts'
import { live, records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { fonts } from '../../base/theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import type { MoveFocus } from '../../ui/Grid.tsx'
import { Note } from '../../ui/Note.tsx'
import { ListFailed, listFailure } from '../errors/ListFailed.tsx'
import { placeColumns } from './columns.ts'
import { FamilyTabs, useFamilyKeys, useTabsAsTitle } from './FamilyTabs.tsx'
import { FilterBar } from './filter/FilterBar.tsx'
import { useFollowedFocus } from './followed-focus.ts'
import { HostBar, HostsEmpty } from './HostBar.tsx'
import { ListBar } from './ListBar.tsx'
import { ListEmpty, ListNoResults, ListSkeleton } from './ListStates.tsx'
import { ListTable } from './ListTable.tsx'
import { markAll, useListKeys } from './list-keys.ts'
import * as css from './ResourceList.css.ts'
import { type Part, pageAddress, type ShownList, useList, useOpen, usePart } from './use-list.ts'

const omitted = '…'

function Pager({ part: { page, size }, matched }: { part: Part; matched: number }) {
  const { t } = useTexts()
  const count = Math.max(1, Math.ceil(matched / size))
  useEffect(() => {
    if (page > count && matched > 0) navigate(pageAddress(count), { replace: true })
  }, [page, count, matched])
  if (count === 1) return null
  const step = (to: number, label: string) =>
    to < 1 || to > count ? (
      <span className={css.step} aria-hidden>
        {label}
      </span>
    ) : (
      <Link className={css.page} to={pageAddress(to)}>
        {label}
      </Link>
    )
  return (
    <nav className={css.pager} aria-label={t('ui.pages.label')}>
      {step(page - 1, t('ui.pages.previous'))}
      {pagesShown(page, count).map((one, index) =>
        one === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing but its place
          <span key={`gap ${index}`} className={css.step} aria-hidden>
            {omitted}
          </span>
        ) : (
          <Link key={one} className={css.page} to={pageAddress(one)} aria-current={one === page ? 'page' : undefined}>
            {one}
          </Link>
        ),
      )}
      {step(page + 1, t('ui.pages.next'))}
      <span className={css.total}>{t('ui.pages.total', { total: matched })}</span>
    </nav>
  )
}

const nearPx = 1200

/** Loads a server-paged list on scroll. */
function useMore(resource: Resource, pages: ListPages): { onScroll: (event: UIEvent) => void; isLoading: boolean } {
  const scroller = useRef<Element | null>(null)
  const list$ = records.list$(resource.name)
  const count = useValue(() => list$.ids.get().length)
  const isReady = useValue(() => list$.status.get() === 'ready')
  const [isLoading, setLoading] = useState(false)
  const loadNear = useCallback(() => {
    const { current } = scroller
    const { ids, total, status } = list$.peek()
    if (!current || resource.pages || total === null || ids.length >= total || status !== 'ready') return
    if (current.scrollHeight - current.scrollTop - current.clientHeight > nearPx) return
    setLoading(true)
    void pages.more().then(() => setLoading(false))
  }, [resource, list$, pages])
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody may have come to the end while a request was under way
  useEffect(loadNear, [loadNear, count, isReady])
  const onScroll = useCallback(
    ({ target }: UIEvent) => {
      scroller.current = target as Element
      loadNear()
    },
    [loadNear],
  )
  return { onScroll, isLoading }
}

const namePadding = 12 + 16 + 8

let pen: CanvasRenderingContext2D | null = null
const signWidths = new Map<string, number>()

function measured(text: string): number {
  if (!pen) {
    pen = document.createElement('canvas').getContext('2d')
    if (pen) pen.font = `500 13px ${fonts.sans}`
  }
  return pen?.measureText(text).width ?? 0
}

/** Widths of names: many hosts have the same ones. More than the longest list has, which would miss them all otherwise. */
let nameWidths = new Map<string, number>()
const maxNames = 100_000

/** Sums up character widths, each measured once: measuring a thousand names takes longer than rendering the page. */
function roughWidth(text: string): number {
  const before = nameWidths.get(text)
  if (before !== undefined) return before
  let width = 0
  for (const sign of text) {
    const known = signWidths.get(sign) ?? measured(sign)
    signWidths.set(sign, known)
    width += known
  }
  if (nameWidths.size >= maxNames) nameWidths = new Map()
  nameWidths.set(text, width)
  return width
}

/** Of all records, not of those that match: columns stay where they are while a filter is typed. */
function useTitleWidth(resource: Resource): number {
  const rows = useValue(() => view.all(resource.name))
  return useMemo(() => {
    let longest = ''
    let widest = 0
    for (const row of rows) {
      const name = titleOf(resource, row)
      const width = roughWidth(name)
      if (width > widest) [widest, longest] = [width, name]
    }
    // Kerning makes a sum of characters inexact.
    return Math.max(measured(longest), widest) + namePadding
  }, [resource, rows])
}

const DetailPanel = lazyPart(async () => (await import('../detail/Sections.tsx')).DetailPanel)
const ListCards = lazyPart(async () => (await import('./ListCards.tsx')).ListCards)

const RowMenu = lazyPart(async () => (await import('../../act/action-items/RowMenu.tsx')).RowMenu)

/** Below this width in px rows become cards (tokens.md 9). */
const phoneWidth = 600
/** In px: lists with live figures are compact, those with day bars tall (tokens.md 4). */
const rowHeights = { live: 24, plain: 32, days: 36 }

export function ResourceList({ resource }: { resource: Resource }) {
  const shown = useList(resource)
  const { list } = shown
  const [asked, setOpen] = useOpen(list)
  const open = resource.detail.isPage ? null : asked
  const move = useRef<MoveFocus | null>(null)
  const step = useListKeys({ shown, move, open, setOpen })
  useFamilyKeys(resource)
  const isTitle = useTabsAsTitle(resource)
  useEffect(() => {
    page$.set({ resource: resource.name, open })
    return () => page$.set({ resource: null, open: null })
  }, [resource, open])
  return (
    <>
      {!isTitle && <FamilyTabs resource={resource} />}
      <div className={`${css.root} ${open === null ? '' : css.withPanel}`}>
        <ListBody key={resource.name} resource={resource} shown={shown} move={move} givesWay={open !== null} />
        <Suspense>
          {open !== null && <DetailPanel resource={resource} id={open} onClose={() => setOpen(null)} onMove={step} />}
        </Suspense>
      </div>
    </>
  )
}

function ListBody({
  resource,
  shown,
  move,
  givesWay,
}: {
  givesWay: boolean
  resource: Resource
  shown: ShownList
  move: { current: MoveFocus | null }
}) {
  const { list, table, pages, hosts } = shown
  const { t, translator } = useTexts()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const status = useValue(records.list$(resource.name).status)
  const isNew = useValue(() => records.list$(resource.name).loadedAt.get() === null)
  const error = useValue(records.list$(resource.name).error)
  const isSaid = useValue(() => error?.code === 'unreachable' && live.state$.feed.status.get() === 'lost')
  const bad = useValue(records.list$(resource.name).bad)
  const entries = useValue(records.list$(resource.name).hosts)
  const isUnanswered = entries.length > 0 && entries.every(({ state }) => state !== 'read')
  const isPending = entries.some(({ state }) => state === 'pending')
  const isLive = resource.columns.some((column) => column.live)
  const isLost = useValue(() => isLive && live.state$.feed.status.get() === 'lost')
  const age = useAge(isLost)
  const hasDays = resource.columns.some(({ field }) => resource.fields[field]?.kind === 'days')
  const rowHeight = rowHeights[isLive ? 'live' : hasDays ? 'days' : 'plain']
  const title = useTitleWidth(resource)
  const columns = useMemo(
    () => placeColumns(resource, table.columns, width, { givesWay, title }),
    [resource, table.columns, width, givesWay, title],
  )
  const isOpen = hosts?.isOpen ?? false
  const isUnknown = (isNew || isPending) && table.total === 0 && !isOpen
  const isEmpty = !isUnknown && table.total === 0
  const hasRows = table.ids.length > 0
  const latest = useRef(shown)
  latest.current = shown
  const onMarkAll = useCallback(() => void markAll(latest.current), [])
  const more = useMore(resource, pages)
  const part = usePart(resource)
  const [menu, setMenu] = useState<OpenRowMenu | null>(null)
  useFollowedFocus({
    list,
    move,
    frame,
    rowHeight: width < phoneWidth ? null : rowHeight,
    isCovered: menu !== null || givesWay,
  })
  useEffect(() => {
    const list = frame.current
    const open = openMenu(setMenu)
    list?.addEventListener('contextmenu', open)
    return () => list?.removeEventListener('contextmenu', open)
  }, [])
  const onOpen = useCallback(
    (id: number) => {
      const row = records.peek(resource.name, id)
      const action = resource.actions.open
      if (row && action) void perform(action, [row])
    },
    [resource],
  )
  return (
    <section ref={frame} className={css.list} onKeyDownCapture={stopTableKeys} onFocusCapture={followFocus(list)}>
      <div className={css.bars}>
        <ListBar resource={resource} list={list} table={table} age={age} isLoading={isUnknown && status !== 'failed'} />
        {hosts && <HostBar resource={resource} hosts={hosts} />}
        {!isEmpty && <FilterBar resource={resource} list={list} table={table} onOpen={onOpen} />}
      </div>
      {bad.length > 0 && (
        <div className={css.notes}>
          <Note tone="warn" title={t('ui.list.badRows', { count: bad.length })}>
            {t('ui.list.badRowsHelp')}
          </Note>
        </div>
      )}
      {error && hasRows && !isSaid && (
        <div className={css.notes}>
          <Note tone="bad" title={listFailure(translator, error).title}>
            <Button size="small" caps={capsOf('reload')} onPress={() => void records.load(resource.name)}>
              {t('ui.live.tryNow')}
            </Button>
          </Note>
        </div>
      )}
      {isUnknown &&
        (status === 'failed' && error ? (
          <ListFailed error={error} onRetry={() => void records.load(resource.name)} />
        ) : (
          width > 0 && <ListSkeleton resource={resource} columns={columns} rowHeight={rowHeight} />
        ))}
      {isEmpty &&
        (hosts && (isOpen || isUnanswered) ? (
          <HostsEmpty resource={resource} hosts={hosts} />
        ) : (
          <ListEmpty resource={resource} />
        ))}
      {!isUnknown && !isEmpty && !hasRows && !table.isComing && (
        <ListNoResults filter={list.filter} problem={table.problem} onClear={() => list.setFilter('')} />
      )}
      {hasRows && width > 0 && (
        <div
          className={`${css.rows} ${isLost ? css.stale : ''}`}
          onScrollCapture={more.onScroll}
          {...holdWhileThere(list)}
        >
          {width < phoneWidth ? (
            <Suspense>
              <ListCards resource={resource} list={list} table={table} onOpen={onOpen} onMenu={setMenu} />
            </Suspense>
          ) : (
            <ListTable
              resource={resource}
              list={list}
              ids={table.ids}
              columns={columns}
              rowHeight={rowHeight}
              onOpen={onOpen}
              onMarkAll={onMarkAll}
              onMenu={setMenu}
              move={move}
            />
          )}
          <Suspense>
            {menu && <RowMenu resource={resource} list={list} open={menu} onClose={() => setMenu(null)} />}
          </Suspense>
          {more.isLoading && (
            <p className={css.more} role="status">
              {t('ui.list.loading')}
            </p>
          )}
        </div>
      )}
      {part && hasRows && !table.isComing && <Pager part={part} matched={table.matched} />}
    </section>
  )
}

function openMenu(open: (menu: OpenRowMenu) => void) {
  return (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[role="row"][data-key]') : null
    const id = Number(row?.getAttribute('data-key') ?? Number.NaN)
    if (!row || Number.isNaN(id)) return
    event.preventDefault()
    const { left, bottom } = row.getBoundingClientRect()
    const isByKey = event.clientX === 0 && event.clientY === 0
    open({
      id,
      at: isByKey ? { x: left, y: bottom, isEnd: false } : { x: event.clientX, y: event.clientY, isEnd: false },
    })
  }
}

/** Disables react-aria’s type-ahead (architecture 9) and arrow keys into cells. */
function stopTableKeys(event: KeyboardEvent): void {
  const isInRows = event.target instanceof Element && event.target.closest('[role="row"][data-key]') !== null
  const isTyped = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey
  if (isInRows && (isTyped || event.key === 'ArrowLeft' || event.key === 'ArrowRight')) event.stopPropagation()
}

function holdWhileThere(list: ListModel) {
  return {
    onPointerEnter: () => list.hold('pointer', true),
    onPointerLeave: () => list.hold('pointer', false),
    onFocus: () => list.hold('focus', true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      list.hold('focus', relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  }
}

function followFocus(list: ListModel) {
  return ({ target }: FocusEvent) => {
    const key = target.closest('[role="row"][data-key]')?.getAttribute('data-key')
    if (key && /^\d+$/.test(key)) list.focusOn(Number(key))
  }
}

/** Age of stale live figures in words; null while live. */
function useAge(isLost: boolean): string | null {
  const { t, format } = useTexts()
  const heardAt = useValue(() => (isLost ? live.state$.heardAt.get() : null))
  const now = useSeconds(isLost)
  if (heardAt === null) return null
  return t('ui.live.old', { span: format.duration(Math.max(0, Math.round((now - heardAt) / 1000))) })
}

/** The list of a resource. Without the right to see it, redirects to the first of its family. */
export function ListPage({ resource }: { resource: Resource }) {
  const [home] = useFamily(resource)
  const isMine = allowed(session.viewer(), { audience: resource.audience.read, scope: resource.scopes.read })
  return isMine || !home ? <ResourceList resource={resource} /> : <Navigate to={home.path} replace />
}
