import { createOffer } from '@qd/core/actions'
import { actionKey, type ResourceName, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { buildTable, rowStanding } from '@qd/core/view'
import { stateSpan } from '../fields/marks.ts'
import type { Overlay } from '../state/screen.ts'
import type { Ui } from '../state/ui.ts'
import { blank, fitLine, type Line, ruleLine, span, spread, withRoles } from '../terminal/line.ts'
import { createTextInput } from '../terminal/text-input.ts'

/** What is picked. */
export interface PickRequest {
  readonly to: ResourceName
  readonly title: string
  readonly many: boolean
  readonly chosen: readonly number[]
  /** What was typed to open it. */
  readonly typed: string
  done(ids: readonly number[]): void
  /** Begins to make a record that is missing, with the name that was typed and what is chosen so far. */
  make(name: string, chosen: readonly number[]): void
}

/** Records to choose from: what is typed filters them as in a list (`group:web` too), and ids that are pasted are chosen (pain N-03). */
export function createPicker(ui: Ui, { to, title, many, chosen: before, typed, done, make }: PickRequest): Overlay {
  const { records, session, view, translator } = ui.workspace
  const resource = resourceByName(to)!
  const { t, say } = translator
  /** Stands last in the list, where such a record may be made. */
  const create = createOffer(resource, { viewer: session.viewer(), supports: (name) => session.supports(name) })
  const chosen = new Set(before)
  const input = createTextInput()
  let focus = 0
  let top = 0
  let shown = 0

  const listed = (): readonly number[] => {
    const filter = input.text
    return buildTable({
      resource,
      rows: records.peekAll(to),
      view,
      width: 'normal',
      filter,
      typing: true,
      marks: chosen,
    }).ids
  }
  const toggle = (id: number | undefined) => {
    if (id === undefined) return
    if (!many) chosen.clear()
    if (!chosen.delete(id)) chosen.add(id)
  }
  const toggleAll = () => {
    const ids = listed()
    const all = ids.every((id) => chosen.has(id))
    for (const id of ids) {
      if (all) chosen.delete(id)
      else chosen.add(id)
    }
  }
  const isOnNew = () => create !== null && focus >= listed().length
  const finish = () => {
    if (isOnNew()) {
      ui.close(overlay)
      return make(/^\w+:/.test(input.text) ? '' : input.text.trim(), [...chosen])
    }
    if (!many) {
      chosen.clear()
      toggle(listed()[focus])
    }
    ui.close(overlay)
    done([...chosen])
  }
  const move = (by: number) => {
    focus = Math.max(0, Math.min(listed().length - (create ? 0 : 1), focus + by))
  }
  const newText = () => `${say(actionKey(create!))}…`
  const newLine = (columns: number): Line => {
    const isFocused = isOnNew()
    const mark = span(isFocused ? ' ▌' : '  ', 'accent')
    const drawn: Line = [mark, span('+ ', 'accent'), span(newText(), ...(isFocused ? (['bold'] as const) : []))]
    return isFocused ? withRoles(fitLine(drawn, columns), 'focus') : drawn
  }
  const paste = (text: string): boolean => {
    const ids = text.split(/[\s,]+/).filter(Boolean)
    if (!many || ids.length === 0 || !ids.every((id) => /^\d+$/.test(id))) return false
    for (const id of ids) if (records.peek(to, Number(id))) chosen.add(Number(id))
    return true
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(8),
    PageUp: () => move(-8),
    Enter: finish,
    Tab: () => {
      toggle(listed()[focus])
      move(1)
    },
    ...(many ? { Space: () => toggle(listed()[focus]), 'Ctrl+a': toggleAll } : {}),
  }
  const overlay: Overlay = {
    layer: 'menu',
    isTyping: () => true,
    closed: () => undefined,
    command: () => false,
    hints: () => [
      { chord: 'Enter', label: t(many ? 'ui.tui.hints.done' : 'ui.tui.hints.choose') },
      ...(many
        ? [
            { chord: 'Space', label: t('ui.tui.hints.mark') },
            { chord: 'Ctrl+a', label: t('ui.tui.hints.all') },
          ]
        : []),
      { chord: 'Escape', label: t('ui.tui.hints.back') },
    ],
    input(event) {
      const key = event.type === 'key' ? keys[event.chord] : undefined
      if (key) key()
      else if (!(event.type === 'paste' && paste(event.text))) {
        if (input.input(event)) focus = 0
      }
      ui.changed()
    },
    spoken() {
      const ids = listed()
      const row = records.peek(to, ids[focus] ?? 0)
      const mark = row && chosen.has(row.id) ? t('ui.tui.spoken.marked') : ''
      const here = row ? titleOf(resource, row) : isOnNew() ? newText() : t('ui.list.noResults')
      const text = [here, mark].filter(Boolean).join(', ')
      return [
        t('ui.tui.spoken.field', { name: title, text: input.text || t('ui.tui.list.chosen', { count: chosen.size }) }),
        t('ui.tui.spoken.choice', { index: focus + 1, count: ids.length + (create ? 1 : 0), text }),
      ]
    },
    click(row) {
      if (create && row === Math.max(1, shown) + 1) {
        focus = listed().length
        finish()
        return true
      }
      if (row < 1 || row > shown) return false
      focus = top + row - 1
      if (many) toggle(listed()[focus])
      return true
    },
    draw({ columns, rows }) {
      const ids = listed()
      const room = Math.max(1, Math.min(rows - (create ? 3 : 2), 10))
      focus = Math.max(0, Math.min(focus, ids.length - (create ? 0 : 1)))
      top = Math.max(0, Math.min(focus - room + 1, ids.length - room))
      shown = Math.min(room, ids.length)
      const surface = ui.workspace.surface()
      const lines = ids.slice(top, top + room).map((id, offset): Line => {
        const row = records.peek(to, id)!
        const isFocused = top + offset === focus
        const standing = rowStanding(surface, resource, row)
        const drawn: Line = [
          span(isFocused ? ' ▌' : '  ', 'accent'),
          span(
            many ? (chosen.has(id) ? '[x] ' : '[ ] ') : chosen.has(id) ? '(•) ' : '( ) ',
            chosen.has(id) ? 'accent' : 'muted',
          ),
          standing ? stateSpan(standing.option, standing.tone) : blank(1),
          span(` ${plainText(titleOf(resource, row))}`, ...(isFocused ? (['bold'] as const) : [])),
          span(`  #${id}`, 'muted'),
        ]
        return isFocused ? withRoles(fitLine(drawn, columns), 'focus') : drawn
      })
      const added = create ? [newLine(columns)] : []
      const none: Line[] = ids.length === 0 ? [[span(`   ${t('ui.list.noResults')}`, 'muted')]] : []
      const count = t('ui.tui.list.chosen', { count: chosen.size })
      return [
        ruleLine([span(title, 'bold')], columns, [span(count, 'muted')]),
        ...(ids.length === 0 ? none : lines),
        ...added,
        spread(
          [span(' '), span('/', 'muted'), ...input.draw(columns - 20)],
          [span(`${ids.length} `, 'muted')],
          columns,
        ),
      ]
    },
  }
  if (typed !== '' && !paste(typed)) input.input({ type: 'paste', text: typed })
  return overlay
}
