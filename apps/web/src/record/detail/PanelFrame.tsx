import { useValue } from '@legendapp/state/react'
import { openingActions, type Resource } from '@qd/core/define'
import { recordMark } from '@qd/core/resources'
import type { ReactNode } from 'react'
import { ActionButton } from '../../act/action-items/ActionButton.tsx'
import { type ActionItem, actionItems, menuEntry } from '../../act/action-items/action-items.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { records, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Menu } from '../../ui/overlays/Menu.tsx'
import { tones } from '../../ui/StateMark.css.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { useCell, useRowStatus } from '../fields/cells.ts'
import * as css from './PanelFrame.css.ts'
import { useFound } from './use-found.ts'

const buttons = 2

export interface PanelProps {
  resource: Resource
  id: number
  onClose: () => void
  onMove: (step: number) => void
}

export function PanelFrame({
  resource,
  tags,
  children,
  id,
  onClose,
  onMove,
}: PanelProps & { tags?: ReactNode; children: ReactNode }) {
  const { t } = useTexts()
  const isKnown = useValue(() => records.row$(resource.name, id).get() !== undefined)
  const mark = useValue(() => recordMark(resource, records.row$(resource.name, id).get() ?? { id }, view))
  // A list page may not contain the record, and a filter may hide it after a change.
  const isPaged = resource.wire.paging === 'server'
  const isListed = useValue(() => records.list$(resource.name).ids.get().includes(id))
  const { ids: asked, error } = useFound(resource.name, isPaged && !isListed ? { id, limit: 1 } : null)
  const isLoading = isPaged && asked === null && error === null
  const status = useRowStatus(resource, id)
  const title = useCell(resource, id, resource.title)
  return (
    <aside className={css.panel} aria-label={title?.text ?? t('ui.panel.title')}>
      <header className={css.head}>
        <div className={css.row}>
          {status && <StateMark tone={status.tone} label={status.word} />}
          <h2 className={css.name} title={title?.text}>
            {title?.text}
          </h2>
          <span className={css.id}>{mark}</span>
          {tags}
          {status?.cause && (
            <span className={`${css.cause} ${tones[status.tone === 'bad' ? 'bad' : 'warn']}`} title={status.cause}>
              {status.cause}
            </span>
          )}
          {status?.planned && (
            <span className={`${css.cause} ${tones.muted}`} title={status.planned}>
              {status.planned}
            </span>
          )}
          <span className={css.growOnDesktop} />
          <IconButton
            label={t('ui.panel.previous')}
            icon="arrow-up"
            caps={capsOf('previous')}
            onPress={() => onMove(-1)}
          />
          <IconButton label={t('ui.panel.next')} icon="arrow-down" caps={capsOf('next')} onPress={() => onMove(1)} />
          <IconButton label={t('ui.frame.close')} icon="x" caps={capsOf('escape')} onPress={onClose} />
        </div>
        {isKnown && <Actions resource={resource} id={id} />}
      </header>
      <div className={css.body}>
        {isKnown ? children : !isLoading && <Note title={t('ui.panel.gone', { id: String(id) })} />}
      </div>
    </aside>
  )
}

function Actions({ resource, id }: { resource: Resource; id: number }) {
  const texts = useTexts()
  const row = useValue(() => records.row$(resource.name, id).get())
  if (!row) return null
  const items = actionItems(resource, [row], texts).filter(
    ({ action }) => action.on !== 'none' && !openingActions.includes(action.name),
  )
  const rank = ({ caps, action }: ActionItem) =>
    caps.length === 0 || action.tone === 'bad' ? 2 : caps.join('').length > 1 ? 1 : 0
  const shown = [...items].sort((a, b) => rank(a) - rank(b))
  return (
    <div className={css.actions}>
      {shown.slice(0, buttons).map((item) => (
        <ActionButton key={item.action.name} item={item} rows={[row]} />
      ))}
      <span className={css.grow} />
      {shown.length > buttons && (
        <Menu label={texts.t('ui.panel.more')} entries={shown.slice(buttons).map((item) => menuEntry(item, [row]))}>
          <Button tone="ghost" icon="ellipsis">
            {texts.t('ui.panel.more')}
          </Button>
        </Menu>
      )}
    </div>
  )
}
