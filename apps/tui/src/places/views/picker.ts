import { createActionFor } from '@qd/core/actions'
import { actionKey, type ResourceName, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { buildTable, rowStatus } from '@qd/core/view'
import { stateSpan } from '../../screen/fields/marks.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, type Line, span } from '../../screen/terminal/line.ts'
import { createList, createSearchField } from './list-overlay.tsx'

interface Choices<Item> {
  readonly title: string
  readonly many: boolean
  readonly chosen: readonly Item[]
  readonly most: number
  /** All are selected by one key. */
  readonly takesAll?: boolean
  /** The last row, which makes a new one; `typed`: its name. */
  readonly create?: { readonly label: string; run(typed: string, chosen: readonly Item[]): void } | null
  listed(typed: string): readonly Item[]
  show(item: Item): { readonly marks?: Line; readonly label: string; readonly detail?: string }
  /** Items of a pasted text; null for a text to search. */
  pasted?(text: string): readonly Item[] | null
  done(chosen: readonly Item[]): void
}

const newOne = Symbol('new')

/** Space selects, `/` filters. */
function createChoices<Item extends string | number>(ui: Ui, request: Choices<Item>) {
  const { title, many, most, takesAll, create = null } = request
  const { t } = ui.workspace
  const state = createState({ chosen: request.chosen })
  const isChosen = (item: Item) => state.chosen.includes(item)
  const add = (items: readonly Item[]) => {
    state.chosen = [...new Set([...state.chosen, ...items])]
  }
  const remove = (items: readonly Item[]) => {
    state.chosen = state.chosen.filter((one) => !items.includes(one))
  }
  const search = createSearchField({
    onText: () => list.first(),
    onPaste(text) {
      const items = request.pasted?.(text) ?? null
      if (items) add(items)
      return items !== null
    },
  })
  const listed = () => request.listed(search.input.text)
  const toggle = (item: Item | typeof newOne | undefined) => {
    if (item === undefined || item === newOne) return
    if (!many) state.chosen = isChosen(item) ? [] : [item]
    else if (isChosen(item)) remove([item])
    else add([item])
  }
  const toggleFocused = () => toggle(list.focused())
  const toggleAll = () => (listed().every(isChosen) ? remove : add)(listed())
  const finish = () => {
    const item = list.focused()
    ui.close(list.overlay)
    if (item === newOne) return create?.run(search.input.text, state.chosen)
    if (!many) state.chosen = item === undefined ? [] : [item]
    request.done(state.chosen)
  }
  const [on, off] = many ? ['[x] ', '[ ] '] : ['(•) ', '( ) ']
  const list = createList<Item | typeof newOne>(ui, {
    title: () => title,
    right: () => t('ui.tui.list.chosen', { count: state.chosen.length }),
    items: () => (create ? [...listed(), newOne] : listed()),
    show(item) {
      if (item === newOne) return { marks: [span('+ ', 'accent')], label: create!.label }
      const { marks = [], ...row } = request.show(item)
      const box = isChosen(item) ? span(on, 'accent') : span(off, 'muted')
      return { ...row, marks: [box, ...marks], said: isChosen(item) ? t('ui.tui.spoken.marked') : '' }
    },
    none: () => t('ui.list.noResults'),
    keepsLast: create !== null,
    most,
    search: { ...search, mark: ' /', right: () => String(listed().length) },
    keys: {
      Enter: { hint: many ? 'done' : 'choose', run: finish },
      ...(many && { Space: { hint: 'mark', run: toggleFocused } }),
      ...(takesAll && { 'Ctrl+a': { hint: 'all', run: toggleAll } }),
      Tab() {
        toggleFocused()
        list.next()
      },
    },
    letters: { ...(many && { x: toggleFocused }), ...(takesAll && { '*': toggleAll }) },
    pressed(item) {
      if (item === newOne) finish()
      else if (many) toggle(item)
    },
  })
  return { overlay: list.overlay, take: search.take }
}

/** `done` gets texts in the order of options. */
export function createOptionPicker(
  ui: Ui,
  request: Pick<Choices<string>, 'title' | 'chosen' | 'done'> & { options: readonly string[] },
): Overlay {
  const { options, done, ...given } = request
  return createChoices(ui, {
    ...given,
    ...{ many: true, most: 12 },
    listed: (typed) => options.filter((option) => option.toLowerCase().includes(typed.trim().toLowerCase())),
    show: (option) => ({ label: plainText(option) }),
    done: (chosen) => done(options.filter((option) => chosen.includes(option))),
  }).overlay
}

interface PickRequest extends Pick<Choices<number>, 'title' | 'many' | 'chosen' | 'done'> {
  readonly to: ResourceName
  readonly typed: string
  /** Creates a missing record with the typed name. */
  make(name: string, chosen: readonly number[]): void
}

export function createPicker(ui: Ui, { to, typed, make, ...given }: PickRequest): Overlay {
  const { records, session, view, surface, say } = ui.workspace
  const resource = resourceByName(to)
  const create = createActionFor(resource, { viewer: session.viewer(), supports: (name) => session.supports(name) })
  const { overlay, take } = createChoices(ui, {
    ...given,
    ...{ most: 10, takesAll: given.many },
    create: create && {
      label: `${say(actionKey(create))}…`,
      run: (text, chosen) => make(/^\w+:/.test(text) ? '' : text.trim(), chosen),
    },
    listed: (filter) =>
      buildTable({
        ...{ resource, rows: records.peekAll(to), view, width: 'normal', filter, typing: true },
        marks: new Set(),
      }).ids,
    show(id) {
      const row = records.peek(to, id)!
      const status = rowStatus(surface(), resource, row)
      const state = status ? stateSpan(status.option, status.tone) : blank(1)
      return { marks: [state, blank(1)], label: plainText(titleOf(resource, row)), detail: `  #${id}` }
    },
    pasted(text) {
      const ids = text.split(/[\s,]+/).filter(Boolean)
      if (!given.many || ids.length === 0 || !ids.every((id) => /^\d+$/.test(id))) return null
      return ids.map(Number).filter((id) => records.peek(to, id))
    },
  })
  if (typed !== '') take({ type: 'paste', text: typed })
  return overlay
}
