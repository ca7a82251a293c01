import { observable } from '@legendapp/state'
import { createActionFor } from '@qd/core/actions'
import { type AnyRow, actionKey, type Resource, type ResourceName, type Tone, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { buildTable, rowStatus } from '@qd/core/view'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { cutTo, widthOf } from '../../base/output/width.ts'
import { stateSpan } from '../../screen/fields/marks.ts'
import { useArea, useLive, useTexts, useUi, useValue } from '../../screen/hooks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { firstVisible, fitText, pressedAt, Rule, SearchLine, Words } from '../../screen/ui/rows.tsx'
import { createRowFocus, createSearchField, type SearchField } from './search-field.ts'

export interface PickRequest {
  readonly to: ResourceName
  readonly title: string
  readonly many: boolean
  readonly chosen: readonly number[]
  readonly typed: string
  done(ids: readonly number[]): void
  /** Creates a missing record with the typed name. */
  make(name: string, chosen: readonly number[]): void
}

export function createPicker(ui: Ui, { to, title, many, chosen: before, typed, done, make }: PickRequest): Overlay {
  const { records, session, view, translator } = ui.workspace
  const resource = resourceByName(to)
  const { t, say } = translator
  /** Last in the list if permitted. */
  const create = createActionFor(resource, { viewer: session.viewer(), supports: (name) => session.supports(name) })
  const chosen$ = observable<readonly number[]>(before)
  const has = (id: number) => chosen$.get().includes(id)
  const search = createSearchField({ onText: () => focus$.set(0) })
  const { input, isIn$ } = search
  const listed = (): readonly number[] => {
    const filter = input.text
    return buildTable({
      resource,
      rows: records.peekAll(to),
      view,
      width: 'normal',
      filter,
      typing: true,
      marks: new Set(chosen$.get()),
    }).ids
  }
  const last = () => listed().length - (create ? 0 : 1)
  const { focus$, move, moves, letters } = createRowFocus(last)
  const add = (ids: readonly number[]) => chosen$.set([...new Set([...chosen$.get(), ...ids])])
  const remove = (ids: readonly number[]) => chosen$.set(chosen$.get().filter((id) => !ids.includes(id)))
  const toggle = (id: number | undefined) => {
    if (id === undefined) return
    if (!many) chosen$.set(has(id) ? [] : [id])
    else if (has(id)) remove([id])
    else add([id])
  }
  const toggleAll = () => {
    const ids = listed()
    if (ids.every(has)) remove(ids)
    else add(ids)
  }
  const isOnNew = () => create !== null && focus$.get() >= listed().length
  const finish = () => {
    if (isOnNew()) {
      ui.close(overlay)
      return make(/^\w+:/.test(input.text) ? '' : input.text.trim(), chosen$.get())
    }
    const id = listed()[focus$.get()]
    if (!many) chosen$.set(id === undefined ? [] : [id])
    ui.close(overlay)
    done(chosen$.get())
  }
  const newText = () => `${say(actionKey(create!))}…`
  const paste = (text: string): boolean => {
    const ids = text.split(/[\s,]+/).filter(Boolean)
    if (!many || ids.length === 0 || !ids.every((id) => /^\d+$/.test(id))) return false
    add(ids.map(Number).filter((id) => records.peek(to, id)))
    return true
  }
  const keys: Readonly<Record<string, () => void>> = {
    ...moves,
    Enter: finish,
    Tab: () => {
      toggle(listed()[focus$.get()])
      move(1)
    },
    ...(many ? { Space: () => toggle(listed()[focus$.get()]), 'Ctrl+a': toggleAll } : {}),
  }
  const outer: Readonly<Record<string, () => void>> = {
    ...letters,
    ...(many ? { x: () => toggle(listed()[focus$.get()]), '*': toggleAll } : {}),
  }
  const overlay: Overlay = {
    layer: 'menu',
    isTyping: () => isIn$.get(),
    hints: () => [
      { chord: 'Enter', label: t(many ? 'ui.tui.hints.done' : 'ui.tui.hints.choose') },
      ...(many
        ? [
            { chord: 'Space', label: t('ui.tui.hints.mark') },
            { chord: 'Ctrl+a', label: t('ui.tui.hints.all') },
          ]
        : []),
      ...(isIn$.get() ? [] : [{ chord: '/', label: t('ui.tui.hints.filter') }]),
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    get keys() {
      return search.keys({ keys, letters: outer })
    },
    input(event) {
      if (!(event.type === 'paste' && paste(event.text))) search.take(event)
    },
    spoken() {
      const ids = listed()
      const focus = focus$.get()
      const row = records.peek(to, ids[focus] ?? 0)
      const mark = row && has(row.id) ? t('ui.tui.spoken.marked') : ''
      const here = row ? titleOf(resource, row) : isOnNew() ? newText() : t('ui.list.noResults')
      const text = [here, mark].filter(Boolean).join(', ')
      return [
        t('ui.tui.spoken.field', {
          name: title,
          text: input.text || t('ui.tui.list.chosen', { count: chosen$.get().length }),
        }),
        t('ui.tui.spoken.choice', { index: focus + 1, count: ids.length + (create ? 1 : 0), text }),
      ]
    },
    click(row, _column, { rows }) {
      const ids = listed()
      const room = roomOf(rows)
      const shown = Math.min(room, ids.length)
      if (create && row === Math.max(1, shown) + 1) {
        focus$.set(ids.length)
        finish()
        return true
      }
      const at = pressedAt(row, { count: ids.length, focus: focus$.get(), room })
      if (at === null) return false
      focus$.set(at)
      if (many) toggle(ids[at])
      return true
    },
    View: Shown,
  }
  const roomOf = (rows: number) => Math.max(1, Math.min(rows - (create ? 3 : 2), 10))
  function Shown() {
    const chosen = useValue(chosen$)
    const { columns, rows } = useArea()
    const ids = useLive(listed)
    const room = roomOf(rows)
    const focus = Math.max(0, Math.min(useValue(focus$), last()))
    const top = firstVisible(ids.length, focus, room)
    return (
      <PickBox title={title} chosen={chosen.length} count={ids.length} search={search}>
        {ids.slice(top, top + room).map((id, at) => (
          <Choice
            key={at}
            resource={resource}
            row={records.peek(to, id)!}
            many={many}
            isChosen={chosen.includes(id)}
            isFocused={top + at === focus}
            columns={columns}
          />
        ))}
        {create && <NewOne text={newText()} isFocused={focus >= ids.length} columns={columns} />}
      </PickBox>
    )
  }
  if (typed !== '' && !paste(typed)) search.take({ type: 'paste', text: typed })
  return overlay
}

interface ChoiceProps {
  readonly resource: Resource
  readonly row: AnyRow
  readonly many: boolean
  readonly isChosen: boolean
  readonly isFocused: boolean
  readonly columns: number
}

const markCells = 8

function Choice({ resource, row, many, isChosen, isFocused, columns }: ChoiceProps) {
  const surface = useUi().workspace.surface()
  const status = rowStatus(surface, resource, row)
  const id = `  #${row.id}`
  const title = cutTo(plainText(titleOf(resource, row)), columns - markCells - id.length, '…')
  const [on, off] = many ? ['[x] ', '[ ] '] : ['(•) ', '( ) ']
  return (
    <Words styleRole={isFocused ? 'focus' : 'text'}>
      <Words styleRole="accent">{isFocused ? ' ▌' : '  '}</Words>
      <Words styleRole={isChosen ? 'accent' : 'muted'}>{isChosen ? on : off}</Words>
      {status ? <Mark option={status.option} tone={status.tone} /> : ' '}
      <Words bold={isFocused}>{` ${title}`}</Words>
      <Words styleRole="muted">{fitText(id, columns - markCells - widthOf(title))}</Words>
    </Words>
  )
}

function NewOne({ text, isFocused, columns }: { text: string; isFocused: boolean; columns: number }) {
  return (
    <Words styleRole={isFocused ? 'focus' : 'text'}>
      <Words styleRole="accent">{`${isFocused ? ' ▌' : '  '}+ `}</Words>
      <Words bold={isFocused}>{fitText(text, columns - 4)}</Words>
    </Words>
  )
}

interface PickBoxProps {
  readonly title: string
  readonly chosen: number
  readonly count: number
  readonly search: SearchField
  readonly children: ReactNode
}

export function PickBox({ title, chosen, count, search, children }: PickBoxProps) {
  const { t } = useTexts()
  const { columns } = useArea()
  const isIn = useValue(search.isIn$)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rule title={title} cells={columns} right={t('ui.tui.list.chosen', { count: chosen })} />
      {count === 0 && <Words styleRole="muted">{`   ${t('ui.list.noResults')}`}</Words>}
      {children}
      <SearchLine
        {...{ mark: ' /', columns, cells: columns - 20, right: `${count} ` }}
        styleRole={isIn ? 'accent' : 'muted'}
        input={search.input}
        isFocused={isIn}
      />
    </Box>
  )
}

function Mark({ option, tone }: { option: string | null; tone: Tone }) {
  const { text, roles } = stateSpan(option, tone)
  return <Words styleRole={roles}>{text}</Words>
}
