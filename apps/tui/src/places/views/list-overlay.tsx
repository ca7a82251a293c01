import { observable } from '@legendapp/state'
import { widthOf } from '../../base/output/width.ts'
import { keyText } from '../../screen/state/actions.ts'
import type { Area, Keys, Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { KeyEvent } from '../../screen/terminal/keys.ts'
import {
  cutLine,
  fitLine,
  type Line,
  line,
  lineText,
  ruleLine,
  span,
  spread,
  withRoles,
} from '../../screen/terminal/line.ts'
import { createTextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { LiveRows } from '../../screen/ui/rows.tsx'

export type SearchField = ReturnType<typeof createSearchField>

/** A text that filters. It has the keys from `/` on, or always. `onPaste`: true if it took the text. */
export function createSearchField(options: {
  isAlwaysIn?: boolean
  onText(): void
  onEmptied?(): void
  onPaste?(text: string): boolean
}) {
  const { isAlwaysIn = false, onText, onPaste } = options
  const input = createTextInput()
  const isIn$ = observable(isAlwaysIn)
  const leave = () => isIn$.set(false)
  return {
    input,
    isIn$,
    leave,
    take(event: KeyEvent) {
      const chord = event.type === 'key' ? event.chord : null
      const isEmpty = input.text === ''
      if (event.type === 'paste' && onPaste?.(event.text)) return
      if (!isIn$.get() && chord !== '/' && event.type !== 'paste') return
      isIn$.set(true)
      // A double slash is the opening key pressed twice.
      if (chord === '/' && isEmpty && !isAlwaysIn) return
      if (chord === 'Backspace' && isEmpty) (options.onEmptied ?? leave)()
      else if (input.input(event)) onText()
    },
  }
}

/** What a row shows, and what a screen reader says of it. */
export interface ListRow {
  readonly marks?: Line
  readonly label: string | Line
  readonly detail?: string
  readonly chord?: string | null
  /** Why it can’t be chosen, instead of the detail. */
  readonly reason?: string | null
  readonly below?: string
  /** Only spoken: what the marks mean. */
  readonly said?: string
}

interface ListRequest<Item> {
  title(): string
  right?(): string
  items(): readonly Item[]
  show(item: Item): ListRow
  heading?(item: Item): string | null
  none(): string
  readonly start?: number
  readonly goesRound?: boolean
  /** The last item is always in sight. */
  readonly keepsLast?: boolean
  readonly rowsEach?: 1 | 2
  readonly most?: number
  labelCells?(columns: number, items: readonly Item[]): number
  readonly search?: SearchField & { readonly mark: string; right?(): string }
  foot?(): string
  readonly keys?: Keys
  /** While nothing is typed; those of `keys` come first. */
  readonly letters?: Keys
  pressed?(item: Item): void
  readonly overlay?: Partial<Overlay>
}

interface Entry<Item> {
  readonly item?: Item
  readonly index?: number
  readonly isFocused?: boolean
  readonly text?: string
}

const page = 8
/** Room of a detail next to a label without a column. */
const detailCells = 12

/** The list over a screen: menu, picker, palette and `:` are one. */
export function createList<Item>(ui: Ui, request: ListRequest<Item>) {
  const { t } = ui.workspace
  const { items, show, search, rowsEach = 1, most = 100 } = request
  const focus$ = observable(request.start ?? 0)
  let top = 0
  const now = () => {
    const all = items()
    return { all, at: Math.max(0, Math.min(all.length - 1, focus$.get())) }
  }
  const focused = (): Item | undefined => {
    const { all, at } = now()
    return all[at]
  }
  const go = (by: number, isRound = false) => {
    const { all, at } = now()
    const last = all.length - 1
    focus$.set(isRound && last >= 0 ? (at + by + all.length) % all.length : Math.max(0, Math.min(last, at + by)))
  }
  const next = () => go(1, request.goesRound)
  const previous = () => go(-1, request.goesRound)
  const moves: Keys = {
    ArrowDown: next,
    ArrowUp: previous,
    PageDown: () => go(page),
    PageUp: () => go(-page),
    ...(!search && { Home: () => focus$.set(0), End: () => focus$.set(items().length - 1) }),
  }
  const letters: Keys = {
    j: next,
    k: previous,
    ...(search && { '/': { hint: 'filter', run: () => search.take({ type: 'key', chord: '/' }) } }),
    ...request.letters,
  }

  /** The rows in sight: items, headings, and what stands there without items. */
  const entriesIn = ({ rows }: Area): readonly Entry<Item>[] => {
    const { all, at } = now()
    const kept = request.keepsLast ? 1 : 0
    const entries = all.map((item, index): Entry<Item> => ({ item, index, isFocused: index === at }))
    const scrolled = entries.slice(0, all.length - kept).flatMap((entry) => {
      const heading = request.heading?.(entry.item!)
      return heading ? [{ text: ` ${heading}` }, entry] : [entry]
    })
    const last = entries.slice(all.length - kept)
    if (scrolled.length === 0) return [{ text: `   ${request.none()}` }, ...last]
    const fixed = 1 + kept + (search ? 1 : 0) + (request.foot ? 1 : 0)
    const room = Math.max(1, Math.min(Math.floor((rows - fixed) / rowsEach), most))
    const found = scrolled.findIndex(({ isFocused }) => isFocused)
    const place = found < 0 ? scrolled.length - 1 : found
    const first = scrolled[place - 1]?.text === undefined ? place : place - 1
    top = Math.max(place - room + 1, Math.min(top, first, scrolled.length - room), 0)
    return [...scrolled.slice(top, top + room), ...last]
  }
  const rowLines = (item: Item, isFocused: boolean, columns: number, labelCells?: number): readonly Line[] => {
    const { marks = [], label, detail = '', chord, reason, below } = show(item)
    const plain: readonly Role[] = [reason ? 'muted' : 'plain', ...(isFocused ? (['bold'] as const) : [])]
    const pieces = typeof label === 'string' ? [span(label)] : label
    const start: Line = [span(isFocused ? ' ▌ ' : '   ', 'accent'), ...marks]
    const key = chord ? `${keyText(ui, chord)} ` : ''
    const about = reason ?? detail
    const room = columns - widthOf(lineText(start)) - widthOf(key)
    const shown = pieces.map(({ text, roles }) => span(text, ...(reason || roles.length === 0 ? plain : roles)))
    const labelled = labelCells
      ? fitLine(shown, Math.min(labelCells, room))
      : cutLine(shown, room - Math.min(widthOf(about), detailCells))
    const rest = room - widthOf(lineText(labelled))
    const drawn = [...start, ...labelled, ...fitLine([span(about, 'muted')], rest), span(key, 'key')]
    return [
      isFocused ? withRoles(drawn, 'focus') : drawn,
      ...(below === undefined ? [] : [line(`     ${below}`, 'muted')]),
    ]
  }
  const searchLine = (columns: number): Line => {
    const { input, isIn$, mark, right } = search!
    const beside = right ? `${right()} ` : ''
    const isIn = isIn$.get()
    const typed = input.draw(columns - widthOf(mark + beside) - 4, { focused: isIn })
    return spread([span(mark, isIn ? 'accent' : 'muted'), ...typed], [span(beside, 'muted')], columns)
  }
  const shownLines = (area: Area): readonly Line[] => {
    const { columns } = area
    const labelCells = request.labelCells?.(columns, items())
    const foot = request.foot?.()
    return [
      ruleLine([span(request.title(), 'bold')], columns, line(request.right?.() ?? '', 'muted')),
      ...entriesIn(area).flatMap(({ item, isFocused = false, text = '' }) =>
        item === undefined ? [line(text, 'muted')] : rowLines(item, isFocused, columns, labelCells),
      ),
      ...(search ? [searchLine(columns)] : []),
      ...(foot === undefined ? [] : [line(foot, 'muted')]),
    ]
  }
  const overlay: Overlay = {
    layer: 'menu',
    isTyping: () => search?.isIn$.get() ?? false,
    get keys() {
      return { ...request.keys, ...(overlay.isTyping?.() ? {} : letters), ...moves, ...request.keys }
    },
    input: search?.take,
    ...request.overlay,
    spoken() {
      const name = request.title()
      const { all, at } = now()
      const item = all[at]
      const text = search && (search.input.text || request.right?.() || t('ui.tui.spoken.empty'))
      const head =
        text === undefined ? t('ui.tui.spoken.menu', { text: name }) : t('ui.tui.spoken.field', { name, text })
      if (item === undefined) return [head, request.none()]
      const { label, detail, reason, below, said } = show(item)
      const parts = [typeof label === 'string' ? label : lineText(label), said, reason ?? detail?.trim(), below]
      const place = { index: at + 1, count: all.length }
      return [head, t('ui.tui.spoken.choice', { ...place, text: parts.filter(Boolean).join(', ') })]
    },
    click(row, _column, area) {
      const pressed = entriesIn(area)[Math.floor((row - 1) / rowsEach)]
      if (row < 1 || pressed?.item === undefined) return false
      focus$.set(pressed.index!)
      request.pressed?.(pressed.item)
      return true
    },
    View: () => <LiveRows lines={shownLines} />,
  }
  return { overlay, at: () => now().at, focused, next, previous, first: () => focus$.set(0) }
}
