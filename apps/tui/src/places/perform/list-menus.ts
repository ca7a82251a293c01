import { actionLine, listLine, sayText } from '@qd/core/actions'
import { type AnyRow, actionKey, fieldKey, type Resource, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import {
  choosableColumns,
  columnsFor,
  type SavedFilter,
  type Sort,
  savedFilterOf,
  shownColumns,
  sortFields,
  sortKeyOf,
  toggleSavedFilter,
  withColumns,
} from '@qd/core/view'
import { stateOf } from '../../screen/state/actions.ts'
import { copy } from '../../screen/state/copy.ts'
import type { Overlay } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createMenu } from '../views/menu.ts'
import { createOptionPicker } from '../views/picker.ts'
import { perform } from './perform.ts'

export function sortMenu(ui: Ui, resource: Resource, sort: Sort, choose: (field: string) => void): Overlay {
  const { t, say } = ui.workspace
  const fields = sortFields(resource, columnsFor(resource, 'wide', { view: ui.workspace.view }))
  return createMenu(
    ui,
    t('ui.tui.menus.sort'),
    fields.map((field) => ({
      label: say(sortKeyOf(resource, field)),
      chosen: sort.field === field,
      detail: sort.field === field ? (sort.order === 'asc' ? '↑' : '↓') : '',
      run: () => choose(field),
    })),
  )
}

export function columnPicker(ui: Ui, resource: Resource): Overlay {
  const { translator, savedLists } = ui.workspace
  const saved$ = savedLists.list$(resource)
  const saved = saved$.peek()
  const fields = choosableColumns(resource, ui.workspace.view)
  const label = (field: string) => translator.say(fieldKey(resource, field))
  const shown = shownColumns(resource, saved)
  const usual = translator.t('ui.list.usualColumns')
  return createOptionPicker(ui, {
    title: translator.t('ui.keys.columns'),
    options: [...(saved.columns === null ? [] : [usual]), ...fields.map(label)],
    chosen: fields.filter((field) => shown.includes(field)).map(label),
    done(labels) {
      const kept = [
        ...shown.filter((field) => !fields.includes(field)),
        ...fields.filter((field) => labels.includes(label(field))),
      ]
      saved$.set(labels.includes(usual) ? { ...saved, columns: null } : withColumns(resource, saved, kept))
    },
  })
}

/** `F`: saved filters; the last line saves or deletes the current one. */
export function filterMenu(
  ui: Ui,
  resource: Resource,
  present: SavedFilter,
  take: (saved: SavedFilter) => void,
): Overlay {
  const { savedLists, t } = ui.workspace
  const saved$ = savedLists.list$(resource)
  const saved = saved$.peek()
  const known = savedFilterOf(saved, present.filter)
  return createMenu(ui, t('ui.keys.savedFilters'), [
    ...saved.filters.map((one) => ({ label: plainText(one.filter), chosen: one === known, run: () => take(one) })),
    {
      label: t(known ? 'ui.list.forgetFilter' : 'ui.list.saveFilter'),
      reason: present.filter.trim() === '' ? t('ui.list.noFilterToSave') : null,
      run: () => saved$.set(toggleSavedFilter(saved, present)),
    },
  ])
}

/** `.`: every action on the rows, with its reason if not possible. */
export function actionMenu(ui: Ui, resource: Resource, rows: readonly AnyRow[]): Overlay {
  const { translator } = ui.workspace
  const items = Object.values(resource.actions).flatMap((action) => {
    const given = action.on === 'none' ? [] : rows
    const { shown, reason } = stateOf(ui, action, given)
    if (!shown) return []
    return {
      label: translator.say(actionKey(action)),
      chord: action.key.tui,
      reason: reason && sayText(translator, reason),
      run: () => void perform(ui, action, given),
    }
  })
  return createMenu(ui, namesOf(ui, resource, rows), items)
}

export function copyMenu(ui: Ui, resource: Resource, rows: readonly AnyRow[]): Overlay {
  const { view, t, say } = ui.workspace
  const titles = rows.map((row) => titleOf(resource, row))
  const names = titles.join('\n')
  const copies = Object.values(resource.actions).filter(({ name }) => name.startsWith('copy-'))
  const open = resource.actions.open
  const line = rows.length === 1 && open ? actionLine(open, rows, view) : listLine(resource)
  return createMenu(ui, t('ui.tui.menus.copy'), [
    {
      label: say(fieldKey(resource, resource.title)),
      detail: titles.map(plainText).join(', '),
      run: () => copy(ui, names),
    },
    ...copies.map((action) => ({ label: say(actionKey(action)), run: () => void perform(ui, action, rows) })),
    { label: t('ui.tui.menus.cli'), detail: plainText(line), run: () => copy(ui, line) },
  ])
}

function namesOf(ui: Ui, resource: Resource, rows: readonly AnyRow[]): string {
  const [first] = rows
  if (first && rows.length === 1) return plainText(titleOf(resource, first))
  return ui.workspace.t('ui.tui.list.marked', { count: rows.length })
}
