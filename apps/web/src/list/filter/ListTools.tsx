import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { fieldKey, type Resource } from '@qd/core/define'
import { choosableColumns, columnsFor } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { useMedia } from '../../hooks/use-media.ts'
import { onCommand } from '../../keys/commands.ts'
import { capsOf } from '../../keys/keys.ts'
import type { ListState } from '../../state/list-state.ts'
import { useTexts } from '../../state/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import type { MenuEntry } from '../../ui/overlays/menu-props.ts'
import { type SavedFilter, type SavedList, savedList$ } from '../saved-list.ts'

/** Which fields stand as columns, each switched by itself; the menu stays open meanwhile. Opened by `C`. */
export function ColumnMenu({ resource }: { resource: Resource }) {
  const { t, say } = useTexts()
  const saved$ = savedList$(resource)
  const { columns: chosen } = useValue(saved$) as SavedList
  const [isOpen, set] = useState(false)
  useEffect(() => onCommand('columns', () => set(true)), [])
  const shown = columnsFor(resource, 'wide', resource.sort, chosen).map(({ field }) => field)
  const turn = (field: string) =>
    saved$.columns.set(shown.includes(field) ? shown.filter((one) => one !== field) : [...shown, field])
  const entries: MenuEntry[] = choosableColumns(resource).map((field) => ({
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
    <Menu label={t('ui.keys.columns')} entries={chosen === null ? entries : [...entries, reset]} open={{ isOpen, set }}>
      <IconButton icon="columns-3" label={t('ui.keys.columns')} caps={capsOf('columns')} />
    </Menu>
  )
}

/** Filters to come back to, as entries of a menu: each takes it, the last saves or forgets the present one. */
export function useSavedFilters(resource: Resource, list$: Observable<ListState>) {
  const { t } = useTexts()
  const saved$ = savedList$(resource)
  const { filters } = useValue(saved$) as SavedList
  const filter = useValue(list$.filter).trim()
  const isSaved = filters.some((one) => one.filter === filter)
  const save = () => saved$.filters.set([...filters, { filter, sort: { ...list$.sort.peek() } }])
  const forget = () => saved$.filters.set(filters.filter((one) => one.filter !== filter))
  const take = (one: SavedFilter) => list$.assign({ filter: one.filter, sort: { ...one.sort } })
  const entries: MenuEntry[] = [
    ...filters.map((one) => ({
      id: `filter ${one.filter}`,
      label: one.filter,
      chosen: one.filter === filter,
      run: () => take(one),
    })),
    isSaved
      ? { id: ' forget', label: t('ui.list.forgetFilter'), icon: 'x', ruled: true, run: forget }
      : {
          id: ' save',
          label: t('ui.list.saveFilter'),
          icon: 'star',
          ruled: filters.length > 0,
          reason: filter === '' ? t('ui.list.noFilterToSave') : null,
          run: save,
        },
  ]
  return { entries, canSave: filter !== '' && !isSaved, save }
}

/** The menu of saved filters, and beside it a button that saves the present one. Opened by `F`. */
export function FilterMenu({ resource, list$ }: { resource: Resource; list$: Observable<ListState> }) {
  const { t } = useTexts()
  const { entries, canSave, save } = useSavedFilters(resource, list$)
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
