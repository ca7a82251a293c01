import { fieldValue, type Resource } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import { type SelectionProblem, selectionProblemKey, tokens } from '@qd/core/targets'
import { type ListModel, rowStatus, type Surface } from '@qd/core/view'
import { Box } from 'ink'
import { memo, useMemo, useRef } from 'react'
import { widthOf } from '../../base/output/width.ts'
import { useArea, useDeferred, useLive, useSame, useScreenStyle, useUi } from '../../screen/hooks.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Area } from '../../screen/state/screen.ts'
import { cutLine, type Line, lineWidth, mutedLine, span, spread, withRoles } from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import type { Role } from '../../screen/terminal/theme.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { paneLines, paneRows } from '../views/detail-pane.ts'
import { headLine, type LaidColumn, layColumns } from './list-columns.ts'
import { emptyLines, marksAndFreshness } from './list-notes.ts'
import { rowLine } from './list-row.ts'
import type { Listed } from './list-table.ts'
import { markedText } from './marked-text.ts'

/** Narrower lists have no head and no meters. */
const compactBelow = 72

function isCompact({ columns }: Pick<Area, 'columns'>): boolean {
  return columns < compactBelow
}

/** Lines above the first row; records of hosts have one more, which says who answered. */
export function listHead(area: Area, { host }: Pick<Resource, 'host'>): number {
  return (isCompact(area) ? 1 : 2) + (host ? 1 : 0)
}

export function listRoom(area: Area, resource: Pick<Resource, 'host'>): number {
  return Math.max(1, area.rows - listHead(area, resource) - paneRows(area))
}

type PaneState = ReturnType<typeof createPane>

export function createPane() {
  const state = createState({ focused: false, top: 0 })
  let shown = 0
  return {
    get focused() {
      return state.focused
    },
    get top() {
      return state.top
    },
    turn(area: Area) {
      state.focused = !state.focused && paneRows(area) > 0
    },
    leave() {
      state.focused = false
    },
    scroll(by: number) {
      state.top = Math.max(0, state.top + by)
    },
    /** Shows a record with `out` hidden lines; returns the first visible line. */
    settle(id: number, out: number) {
      state.top = state.focused && id === shown ? Math.max(0, Math.min(state.top, out)) : 0
      shown = id
      return state.top
    },
  }
}

interface ListPaneProps {
  readonly resource: Resource
  readonly id: number
  readonly surface: Surface
  readonly columns: number
  readonly rows: number
  readonly pane: PaneState
  readonly isFocused: boolean
  readonly top: number
}

/** Lags a frame behind the focus, so that a key doesn't wait for it. */
function ListPane(props: ListPaneProps) {
  return <Pane {...props} id={useDeferred(props.id)} />
}

const Pane = memo(({ resource, id, columns, rows, pane, isFocused }: ListPaneProps) => {
  const ui = useUi()
  const row = ui.workspace.records.peek(resource.name, id)
  if (!row) return <Box height={rows} flexShrink={0} />
  const [title = [], ...lines] = paneLines(ui, { resource, row, columns, rows, whole: isFocused })
  const top = pane.settle(id, lines.length - rows + 1)
  return (
    <Box flexDirection="column" height={rows} flexShrink={0}>
      <Row line={isFocused ? withRoles(title, 'accent') : title} />
      <Rows lines={lines.slice(top, top + rows - 1)} />
    </Box>
  )
})

interface ListRowProps {
  readonly resource: Resource
  readonly id: number
  /** New identity when the record may have changed, because records are mutable. */
  readonly surface: Surface
  readonly around: unknown
  readonly columns: readonly LaidColumn[]
  readonly width: number
  readonly compact: boolean
  readonly isFocused: boolean
  readonly isMarked: boolean
  readonly isOld: boolean
}

/** Re-renders when its values, state or `around` change, and each second only if it shows an age. */
const ListRow = memo(({ id, isFocused, isMarked, isOld, around, ...request }: ListRowProps) => {
  const { resource, surface, columns, width, compact } = request
  const style = useScreenStyle()
  const row = useUi().workspace.records.peek(resource.name, id)
  const state = row && resource.state ? fieldValue(resource, row, resource.state.field, surface.view) : null
  const values = useSame(row ? [...Object.values(row), state] : [])
  const tellsTime = useRef(false)
  const moment = tellsTime.current ? surface : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row and the surface change in place, and these say when
  const line = useMemo(() => {
    if (!row) return []
    const status = rowStatus(surface, resource, row)
    const watched = watchTime(surface)
    const drawn = rowLine({
      ...request,
      surface: watched.surface,
      status,
      style,
      row,
      focused: isFocused,
      marked: isMarked,
    })
    tellsTime.current = watched.isTold() || status?.absence != null
    return drawn
  }, [values, moment, around, resource, style, columns, width, compact, isFocused, isMarked])
  return <Row line={isOld ? mutedLine(line) : line} />
})

function watchTime(surface: Surface): { surface: Surface; isTold(): boolean } {
  let isTold = false
  const view = {
    ...surface.view,
    get now() {
      isTold = true
      return surface.view.now
    },
  }
  return { surface: { ...surface, view }, isTold: () => isTold }
}

const roles: Readonly<Record<string, Role>> = {
  key: 'muted',
  operator: 'accent',
  comma: 'accent',
  negation: 'accent',
  open: 'accent',
  close: 'accent',
  and: 'accent',
  or: 'accent',
}

const coloured = (text: string): Line =>
  markedText(
    text,
    tokens(text).map(({ from, to, kind }) => ({ from, to, role: roles[kind] ?? 'plain' })),
  )

function choiceSpans(choices: readonly string[], cells: number): Line {
  let text = ''
  for (const choice of choices) {
    const longer = text === '' ? choice : `${text}  ${choice}`
    if (widthOf(longer) > cells) break
    text = longer
  }
  return text === '' ? [] : [span(`   ${text}`, 'muted')]
}

function filterLine(
  shown: {
    translator: Translator
    input: TextInput | null
    filter: string
    problem: SelectionProblem | null
    choices: readonly string[]
    columns: number
  },
  right: Line,
): Line {
  const { translator, input, filter, problem, choices, columns } = shown
  if (!input && filter === '') return right.length === 0 ? [] : spread([], right, columns)
  const text = input ? input.draw(columns - 30) : coloured(filter)
  const wrong = problem ? [span('  '), span(translator.say(selectionProblemKey(problem), problem.params), 'bad')] : []
  const typed = cutLine([span(' '), span('/', 'muted'), ...text, ...wrong], columns)
  return spread([...typed, ...choiceSpans(choices, columns - lineWidth(typed) - lineWidth(right) - 4)], right, columns)
}

export interface ListShown extends Listed {
  readonly list: ListModel
  readonly top: number
  readonly input: TextInput | null
  readonly pane: PaneState
  readonly choices: readonly string[]
  /** Who answered, of records of hosts. */
  readonly hosts: Line | null
  /** What stands in the place of rows while no hosts are chosen, or none of them answered. */
  readonly asks: readonly Line[] | null
}

/** Filter, head, rows or their substitute, and the pane (looks/tui.md "List"). `show` updates the state for an area. */
export function List({ resource, show }: { resource: Resource; show(area: Area): ListShown }) {
  const ui = useUi()
  const { ascii } = useScreenStyle()
  const area = useArea()
  const { list, top, table, surface, around, longestTitle, input, pane, choices, hosts, asks } = useLive(() =>
    show(area),
  )
  const { translator } = ui.workspace
  const { columns } = area
  const compact = isCompact(area)
  // Columns are new objects per table; only changed ones may re-render rows.
  const fields = useSame(table.columns.map((column) => JSON.stringify(column)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are what their texts say
  const laid = useMemo(
    () => layColumns(table.columns, { resource, translator, width: columns, ascii, compact, longestTitle }),
    [fields, resource, translator, columns, ascii, compact, longestTitle],
  )
  const room = listRoom(area, resource)
  const isOld = ui.workspace.isOld()
  const ids = table.ids.slice(top, top + room)
  const { filter, cursor } = list
  const right = marksAndFreshness(ui, resource, table, columns)
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      <Row line={filterLine({ translator, input, filter, problem: table.problem, choices, columns }, right)} />
      {hosts && <Row line={hosts} />}
      {!compact && <Row line={headLine(laid)} />}
      <Box flexDirection="column" height={room} flexShrink={0}>
        {ids.map((id, place) => (
          <ListRow
            key={place}
            {...{ resource, id, surface, around, columns: laid, width: columns, compact, isOld }}
            isFocused={id === cursor}
            isMarked={list.marks.has(id)}
          />
        ))}
        {ids.length === 0 && (
          <Rows lines={(asks ?? emptyLines(ui, resource, { filter, table, columns })).slice(0, room)} />
        )}
      </Box>
      {cursor !== null && paneRows(area) > 0 && (
        <ListPane
          {...{ resource, id: cursor, surface, columns, rows: paneRows(area), pane }}
          isFocused={pane.focused}
          top={pane.top}
        />
      )}
    </Box>
  )
}
