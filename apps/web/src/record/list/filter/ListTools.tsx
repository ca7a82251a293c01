import { useValue } from '@legendapp/state/react'
import { fieldKey, type Resource } from '@qd/core/define'
import {
  choosableColumns,
  type ListModel,
  type SavedFilter,
  type SavedList,
  savedFilterOf,
  shownColumns,
  toggleSavedFilter,
  withColumns,
} from '@qd/core/view'
import { useEffect, useState } from 'react'
import { onCommand } from '../../../act/keys/commands.ts'
import { capsOf } from '../../../act/keys/keys.ts'
import { useMedia } from '../../../base/hooks/use-size.ts'
import { useListValue } from '../../../base/state/list-state.ts'
import { savedLists, view } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Menu } from '../../../ui/overlays/Menu.tsx'
import type { MenuEntry } from '../../../ui/overlays/menu-props.ts'

export function ColumnMenu({ resource }: { resource: Resource }) {
  const { t, say } = useTexts()
  const saved$ = savedLists.list$(resource)
  const saved = useValue(saved$) as SavedList
  const [isOpen, set] = useState(false)
  useEffect(() => onCommand('columns', () => set(true)), [])
  const shown = shownColumns(resource, saved)
  const turn = (field: string) => {
    const fields = shown.includes(field) ? shown.filter((one) => one !== field) : [...shown, field]
    saved$.set(withColumns(resource, saved, fields))
  }
  const entries: MenuEntry[] = choosableColumns(resource, view).map((field) => ({
    id: field,
    label: say(fieldKey(resource, field)),
    chosen: shown.includes(field),
    stays: true,
    run: () => turn(field),
  }))
  const reset: MenuEntry = {
    id: ' usual',
    label: t('ui.list.usualColumns'),
    icon: 'undo-2',
    ruled: true,
    run: () => saved$.columns.set(null),
  }
  return (
    <Menu
      label={t('ui.keys.columns')}
      entries={saved.columns === null ? entries : [...entries, reset]}
      open={{ isOpen, set }}
    >
      <IconButton icon="columns-3" label={t('ui.keys.columns')} caps={capsOf('columns')} />
    </Menu>
  )
}

export function useSavedFilters(resource: Resource, list: ListModel) {
  const { t } = useTexts()
  const saved$ = savedLists.list$(resource)
  const saved = useValue(saved$) as SavedList
  const { filters } = saved
  const filter = useListValue(list, ({ filter }) => filter).trim()
  const isSaved = savedFilterOf(saved, filter) !== undefined
  const turn = () => saved$.set(toggleSavedFilter(saved, { filter, sort: list.sort }))
  const take = (one: SavedFilter) => list.take({ filter: one.filter, sort: { ...one.sort } })
  const entries: MenuEntry[] = [
    ...filters.map((one) => ({
      id: `filter ${one.filter}`,
      label: one.filter,
      chosen: one.filter === filter,
      run: () => take(one),
    })),
    isSaved
      ? { id: ' forget', label: t('ui.list.forgetFilter'), icon: 'x', ruled: true, run: turn }
      : {
          id: ' save',
          label: t('ui.list.saveFilter'),
          icon: 'star',
          ruled: filters.length > 0,
          reason: filter === '' ? t('ui.list.noFilterToSave') : null,
          run: turn,
        },
  ]
  return { entries, canSave: filter !== '' && !isSaved, save: turn }
}

export function FilterMenu({ resource, list }: { resource: Resource; list: ListModel }) {
  const { t } = useTexts()
  const { entries, canSave, save } = useSavedFilters(resource, list)
  const isTight = useMedia('tight')
  const [isOpen, set] = useState(false)
  useEffect(() => onCommand('savedFilters', () => set(true)), [])
  return (
    <>
      <Menu label={t('ui.keys.savedFilters')} entries={entries} open={{ isOpen, set }}>
        <IconButton icon="star" label={t('ui.keys.savedFilters')} caps={capsOf('savedFilters')} />
      </Menu>
      {canSave && !isTight && (
        <Button tone="ghost" onPress={save}>
          {t('ui.list.saveFilter')}
        </Button>
      )}
    </>
  )
}
