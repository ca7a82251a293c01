import { useValue } from '@legendapp/state/react'
import { type Resource, titleOf } from '@qd/core/define'
import type { ListModel } from '@qd/core/view'
import { useListValue } from '../../base/state/list-state.ts'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { MenuAt } from '../../ui/overlays/MenuList.tsx'
import type { MenuPlace } from '../../ui/overlays/menu-props.ts'
import { type ActionItem, actionItems, menuEntry } from './action-items.ts'

export interface OpenRowMenu {
  id: number
  at: MenuPlace
}

/** Section of the menu: 0 has a key, 1 the rest, 2 copies, 3 deletes. */
function groupOf({ action, caps }: ActionItem): number {
  if (action.tone === 'bad') return 3
  if (action.name.startsWith('copy-')) return 2
  return caps.length > 0 ? 0 : 1
}

/** Every action on a row, with its reason if it isn't possible. On a selected row the actions apply to the whole selection. */
export function RowMenu({
  resource,
  list,
  open: { id, at },
  onClose,
}: {
  resource: Resource
  list: ListModel
  open: OpenRowMenu
  onClose: () => void
}) {
  const texts = useTexts()
  const { t } = texts
  const marks = useListValue(list, ({ marks }) => marks)
  const ids = marks.has(id) ? [...marks] : [id]
  const rows = useValue(() => {
    records.version$(resource.name).get()
    return ids.flatMap((one) => records.peek(resource.name, one) ?? [])
  })
  const [first] = rows
  if (!first) return null
  const shown = actionItems(resource, rows, texts)
    .filter(({ action }) => action.on === 'many' || (action.on === 'one' && rows.length === 1))
    .toSorted((a, b) => groupOf(a) - groupOf(b))
  const entries = shown.map((item, index) => ({
    ...menuEntry(item, rows),
    ruled: index > 0 && groupOf(shown[index - 1]!) !== groupOf(item),
  }))
  const name = rows.length === 1 ? titleOf(resource, first) : t('ui.list.markedRows', { count: rows.length })
  return <MenuAt label={t('ui.list.actionsOf', { name })} entries={entries} at={at} onClose={onClose} />
}
