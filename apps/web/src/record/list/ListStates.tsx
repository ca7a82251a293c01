import type { Resource } from '@qd/core/define'
import { type SelectionProblem, selectionProblemKey } from '@qd/core/targets'
import { emptyTitle } from '@qd/core/view'
import { Suspense } from 'react'
import { ActionButton } from '../../act/action-items/ActionButton.tsx'
import { actionItems } from '../../act/action-items/action-items.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Mascot } from '../../ui/drawings/Mascot.tsx'
import * as page from '../../ui/Page.css.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { cell, column as columnStyle, edge, frame, titleCell, titleColumn } from '../../ui/Table.css.ts'
import { emptyViews } from '../overrides.ts'
import { markWidth, type Placed } from './columns.ts'
import { skeletonHead, skeletonRow } from './ResourceList.css.ts'

const rowsShown = 18
const nameWidths = [64, 52, 78, 60, 70]

export function ListSkeleton({
  resource,
  columns,
  rowHeight,
}: {
  resource: Resource
  columns: readonly Placed[]
  rowHeight: number
}) {
  const { say } = useTexts()
  return (
    <div className={frame} aria-hidden="true">
      <div className={skeletonHead}>
        <span className={`${columnStyle} ${edge}`} style={{ width: markWidth }} />
        {columns.map((column) => (
          <span
            key={column.field}
            className={`${columnStyle} ${column.field === resource.title ? titleColumn : ''}`}
            style={{ width: column.width }}
            data-numeric={column.numeric || undefined}
          >
            {column.unit === null ? say(column.label) : `${say(column.label)} ${say(column.unit)}`}
          </span>
        ))}
      </div>
      {[...Array(rowsShown).keys()].map((index) => (
        <div key={index} className={skeletonRow} style={{ height: rowHeight, opacity: 1 - index / (rowsShown + 2) }}>
          <span className={`${cell} ${edge}`} style={{ width: markWidth }} />
          {columns.map((column) => (
            <span
              key={column.field}
              className={`${cell} ${column.field === resource.title ? titleCell : ''}`}
              style={{ width: column.width }}
              data-numeric={column.numeric || undefined}
            >
              <Skeleton
                width={
                  column.field === resource.title
                    ? nameWidths[index % nameWidths.length]!
                    : Math.min(84, column.width - 24)
                }
              />
            </span>
          ))}
        </div>
      ))}
    </div>
  )
}

export function ListEmpty({ resource }: { resource: Resource }) {
  const texts = useTexts()
  const { say, translator } = texts
  const Own = emptyViews[resource.name]
  const create = actionItems(resource, [], texts).find(({ action }) => action.name === 'create')
  const teaching = `ui.empty.${resource.name}`
  return (
    <div className={page.center}>
      <div className={page.box}>
        <Mascot />
        <h2 className={page.boxTitle}>{emptyTitle(translator, resource)}</h2>
        {translator.has(`${teaching}.text`) && <p className={page.boxText}>{say(`${teaching}.text`)}</p>}
        {Own && (
          <Suspense>
            <Own />
          </Suspense>
        )}
        {create && (
          <div className={page.row}>
            <ActionButton tone="primary" item={create} rows={[]} />
          </div>
        )}
      </div>
    </div>
  )
}

/** The filter hides everything or is invalid. An invalid filter lists nothing, so that nothing is selected by mistake. */
export function ListNoResults({
  filter,
  problem,
  onClear,
}: {
  filter: string
  problem: SelectionProblem | null
  onClear: () => void
}) {
  const { t, say } = useTexts()
  return (
    <div className={page.center}>
      <div className={page.box}>
        <h2 className={page.boxTitle}>{t(problem ? 'ui.list.wrongFilter' : 'ui.list.noResults')}</h2>
        <p className={page.boxText}>
          {problem ? say(selectionProblemKey(problem), problem.params) : t('ui.list.nothingFits', { filter })}
        </p>
        <div className={page.row}>
          <Button caps={capsOf('escape')} onPress={onClear}>
            {t('ui.list.clearFilter')}
          </Button>
        </div>
      </div>
    </div>
  )
}
