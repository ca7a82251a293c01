import { observable } from '@legendapp/state'
import { createActionFor } from '@qd/core/actions'
import { actionKey, type ResourceName, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { buildTable, rowStatus } from '@qd/core/view'
import { stateSpan } from '../../screen/fields/marks.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, span } from '../../screen/terminal/line.ts'
import { createList, createSearchField, type ListRow } from './list-overlay.tsx'

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

/** The mark of a row that can be selected, also for a screen reader. */
export function checkBox(
  { workspace }: Ui,
  isChosen: boolean,
  many: boolean,
): Required<Pick<ListRow, 'marks' | 'said'>> {
  const [on, off] = many ? ['[x] ', '[ ] '] : ['(•) ', '( ) ']
  return {
    marks: [span(isChosen ? on : off, isChosen ? 'accent' : 'muted')],
    said: isChosen ? workspace.t('ui.tui.spoken.marked') : '',
  }
}

const newOne = 'new'

export function createPicker(ui: Ui, { to, title, many, chosen: before, typed, done, make }: PickRequest): Overlay {
  const { records, session, view, surface, t, say } = ui.workspace
  const resource = resourceByName(to)
  const create = createActionFor(resource, { viewer: session.viewer(), supports: (name) => session.supports(name) })
  const chosen$ = observable<readonly number[]>(before)
  const has = (id: number) => chosen$.get().includes(id)
  const search = createSearchField({ onText: () => list.first(), onPaste: paste })
  const { input } = search
  const listed = (): readonly number[] =>
    buildTable({
      resource,
      rows: records.peekAll(to),
      view,
      width: 'normal',
      filter: input.text,
      typing: true,
      marks: new Set(chosen$.get()),
    }).ids
  const add = (ids: readonly number[]) => chosen$.set([...new Set([...chosen$.get(), ...ids])])
  const remove = (ids: readonly number[]) => chosen$.set(chosen$.get().filter((id) => !ids.includes(id)))
  const toggle = (id: number | typeof newOne | undefined) => {
    if (typeof id !== 'number') return
    if (!many) chosen$.set(has(id) ? [] : [id])
    else if (has(id)) remove([id])
    else add([id])
  }
  const toggleFocused = () => toggle(list.focused())
  const toggleAll = () => {
    const ids = listed()
    if (ids.every(has)) remove(ids)
    else add(ids)
  }
  const finish = () => {
    const id = list.focused()
    ui.close(list.overlay)
    if (id === newOne) return make(/^\w+:/.test(input.text) ? '' : input.text.trim(), chosen$.get())
    if (!many) chosen$.set(id === undefined ? [] : [id])
    done(chosen$.get())
  }
  function paste(text: string): boolean {
    const ids = text.split(/[\s,]+/).filter(Boolean)
    if (!many || ids.length === 0 || !ids.every((id) => /^\d+$/.test(id))) return false
    add(ids.map(Number).filter((id) => records.peek(to, id)))
    return true
  }
  const list = createList<number | typeof newOne>(ui, {
    title: () => title,
    right: () => t('ui.tui.list.chosen', { count: chosen$.get().length }),
    items: () => (create ? [...listed(), newOne] : listed()),
    show(id) {
      if (id === newOne) return { marks: [span('+ ', 'accent')], label: `${say(actionKey(create!))}…` }
      const row = records.peek(to, id)!
      const status = rowStatus(surface(), resource, row)
      const { marks, said } = checkBox(ui, has(id), many)
      return {
        marks: [...marks, status ? stateSpan(status.option, status.tone) : blank(1), blank(1)],
        label: plainText(titleOf(resource, row)),
        detail: `  #${id}`,
        said,
      }
    },
    none: () => t('ui.list.noResults'),
    keepsLast: create !== null,
    most: 10,
    search: { ...search, mark: ' /', right: () => String(listed().length) },
    keys: {
      Enter: { hint: many ? 'done' : 'choose', run: finish },
      ...(many && {
        Space: { hint: 'mark', run: toggleFocused },
        'Ctrl+a': { hint: 'all', run: toggleAll },
      }),
      Tab() {
        toggleFocused()
        list.next()
      },
    },
    letters: many ? { x: toggleFocused, '*': toggleAll } : {},
    pressed(id) {
      if (id === newOne) finish()
      else if (many) toggle(id)
    },
  })
  if (typed !== '') search.take({ type: 'paste', text: typed })
  return list.overlay
}
