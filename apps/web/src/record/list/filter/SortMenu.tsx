import type { Resource } from '@qd/core/define'
import { type Column, type ListModel, sortFields, sortKeyOf } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { onCommand } from '../../../act/keys/commands.ts'
import { capsOf } from '../../../act/keys/keys.ts'
import { useListValue } from '../../../base/state/list-state.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'

const arrows = { asc: 'arrow-up', desc: 'arrow-down' } as const

/** By which column the list is ordered; the present one turns. Opened by `s`, and the way to sort where no heads are shown. */
export function SortMenu({
  resource,
  list,
  columns,
}: {
  resource: Resource
  list: ListModel
  columns: readonly Column[]
}) {
  const { t, say } = useTexts()
  const sort = useListValue(list, ({ sort }) => sort)
  const [isOpen, set] = useState(false)
  useEffect(() => onCommand('sort', () => set(true)), [])
  const entries = sortFields(resource, columns).map((field) => ({
    id: field,
    label: say(sortKeyOf(resource, field)),
    chosen: sort.field === field && arrows[sort.order],
    run: () => list.sortBy(field),
  }))
  return (
    <Menu label={t('ui.keys.sort')} entries={entries} open={{ isOpen, set }}>
      <IconButton icon="arrow-down-up" label={t('ui.keys.sort')} caps={capsOf('sort')} />
    </Menu>
  )
}
