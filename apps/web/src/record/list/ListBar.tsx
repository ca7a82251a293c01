import { type Resource, textKey } from '@qd/core/define'
import type { ListModel, Table } from '@qd/core/view'
import { ActionButton } from '../../act/action-items/ActionButton.tsx'
import { ActionItemButton } from '../../act/action-items/ActionItemButton.tsx'
import { type ActionItem, actionItems, menuEntry } from '../../act/action-items/action-items.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { useMedia } from '../../base/hooks/use-size.ts'
import { useListValue } from '../../base/state/list-state.ts'
import { pageRows } from '../../base/state/page.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import * as page from '../../ui/Page.css.ts'
import { FamilyTabs, useTabsAsTitle } from './FamilyTabs.tsx'
import { Facets } from './filter/Facets.tsx'
import * as css from './ResourceList.css.ts'

export function ListBar({
  resource,
  list,
  table,
  age,
  isLoading,
}: {
  resource: Resource
  list: ListModel
  table: Table | null
  age: string | null
  isLoading: boolean
}) {
  const texts = useTexts()
  const isPhone = useMedia('phone')
  const isSnug = useMedia('snug')
  const hasTabs = useTabsAsTitle(resource)
  const marked = table?.marked ?? 0
  const isReordered = useListValue(list, (one) => one.isReordered)
  if (table && marked > 0) return <SelectionBar resource={resource} list={list} table={table} />
  const all = actionItems(resource, [], texts).filter(({ action }) => action.on === 'none')
  const create = all.find(({ action }) => action.name === 'create')
  return (
    <div className={page.bar}>
      <h1 className={hasTabs ? page.spoken : page.heading}>{texts.say(textKey.many(resource.name))}</h1>
      {hasTabs && <FamilyTabs resource={resource} isTitle />}
      {isLoading && <span className={page.muted}>{texts.t('ui.list.loading')}</span>}
      {table && !isPhone && <Facets resource={resource} list={list} table={table} />}
      <span className={page.grow} />
      {isReordered && (
        <Button size="small" tone="ghost" icon="arrow-down-up" caps={capsOf('reload')} onPress={list.release}>
          {texts.t('ui.list.reordered')}
        </Button>
      )}
      {age && <span className={css.age}>{age}</span>}
      {all
        .filter((item) => item !== create)
        .map((item) => (
          <ActionItemButton key={item.action.name} item={item} isIcon={isSnug} />
        ))}
      {create && <ActionButton tone="primary" item={create} rows={[]} isIcon={isSnug} />}
    </div>
  )
}

/** With more actions than this, those without a key are in a menu. */
const fewActions = 5

function SelectionBar({ resource, list, table }: { resource: Resource; list: ListModel; table: Table }) {
  const texts = useTexts()
  const { t } = texts
  const rows = pageRows()
  const shown = actionItems(resource, rows, texts).filter(
    ({ action }) => action.on === 'many' || (action.on === 'one' && rows.length === 1 && action.name !== 'open'),
  )
  const isButton = ({ action, caps }: ActionItem) =>
    shown.length <= fewActions || caps.length > 0 || action.tone === 'bad'
  const buttons = shown.filter(isButton)
  const others = shown.filter((item) => !isButton(item))
  return (
    <div className={css.picked} role="toolbar" aria-label={t('ui.list.selection')}>
      <h1 className={page.spoken}>{texts.say(textKey.many(resource.name))}</h1>
      <b className={css.pickedCount}>{t('ui.list.marked', { count: table.marked, total: table.total })}</b>
      {table.hiddenMarks > 0 && (
        <span className={css.pickedHidden}>{t('ui.list.hidden', { count: table.hiddenMarks })}</span>
      )}
      <span className={css.separator} />
      <div className={css.pickedActions}>
        {buttons.map((item) => (
          <ActionButton
            key={item.action.name}
            tone={item.action.tone === 'bad' ? 'delete' : 'bare'}
            item={item}
            rows={rows}
          />
        ))}
      </div>
      {others.length > 0 && (
        <Menu label={t('ui.panel.more')} entries={others.map((item) => menuEntry(item, rows))}>
          <Button tone="bare" icon="ellipsis">
            {t('ui.panel.more')}
          </Button>
        </Menu>
      )}
      <Button tone="bare" onPress={() => list.clearMarks()}>
        {t('ui.list.clearMarks')}
      </Button>
    </div>
  )
}
