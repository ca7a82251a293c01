import { type FileEntry, isFolder, shownName } from '@qd/core/files'
import { type MouseEvent, memo, type RefObject, useLayoutEffect, useMemo } from 'react'
import { useMedia } from '../base/hooks/use-size.ts'
import { live } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { Icon } from '../ui/drawings/Icon.tsx'
import { RowButton } from '../ui/RowButton.tsx'
import { revealRow, useVisibleRange } from '../ui/visible-range.ts'
import * as css from './FilePanel.css.ts'
import type { FileManager } from './file-manager.ts'
import { useFolder } from './use-manager.ts'

const touchHeight = 44
const asRow = { role: 'row' }
const asCell = { role: 'gridcell' }

/**
 * Only visible rows are drawn, so that 50,000 cost as much as 50. The focus stays on the list, which names its row
 * (aria-activedescendant).
 */
export function FileRows({ manager, list }: { manager: FileManager; list: RefObject<HTMLDivElement | null> }) {
  const { t } = useTexts()
  const { shown, cursor, marks, path, filter } = useFolder(manager)
  const height = useMedia('snug') ? touchHeight : css.rowHeight
  const { first, last, most, update } = useVisibleRange(list, height, shown.length)

  const isEmpty = shown.length === 0
  useLayoutEffect(() => {
    if (list.current) revealRow(list.current, cursor, height, css.edge * 2)
  }, [list, cursor, height])
  const acts = useMemo((): RowActs => {
    const { browser } = manager.controller
    return {
      press(index, event) {
        browser.moveTo(index)
        if (event.shiftKey) return browser.markRange()
        if (event.ctrlKey || event.metaKey) return browser.toggleMark()
        void manager.open()
      },
      mark(index) {
        browser.moveTo(index)
        browser.toggleMark()
      },
      download: (entry) => manager.download([entry]),
    }
  }, [manager])
  return (
    <div
      ref={list}
      className={css.rows}
      {...partOf({ isEmpty, label: t('ui.files.titleOf', { name: path }), count: shown.length })}
      {...(!isEmpty && cursor >= first && cursor < last ? { 'aria-activedescendant': `file-${cursor}` } : {})}
      onScroll={update}
    >
      {isEmpty ? (
        <p className={css.empty} role="status">
          {filter === '' ? t('ui.files.empty') : t('ui.files.none', { filter })}
        </p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in part
        <div className={css.space} role="rowgroup" style={{ height: shown.length * height }}>
          {shown.slice(first, last).map((entry, index) => (
            <FileRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a row that is scrolled away becomes one that comes, so that no element is made anew
              key={(first + index) % most}
              entry={entry}
              index={first + index}
              height={height}
              isCursor={first + index === cursor}
              isMarked={marks.has(entry.name)}
              acts={acts}
            />
          ))}
        </div>
      )}
    </div>
  )
}

/** ARIA of the list. An empty list stays the same element, so that it keeps the focus. */
function partOf({ isEmpty, label, count }: { isEmpty: boolean; label: string; count: number }) {
  if (isEmpty) return { role: 'group', tabIndex: 0, 'aria-label': label }
  return { role: 'grid', tabIndex: 0, 'aria-label': label, 'aria-rowcount': count, 'aria-multiselectable': true }
}

/** Row callbacks; the same object for all rows, so that only changed rows render. */
interface RowActs {
  press(index: number, event: MouseEvent): void
  mark(index: number): void
  download(entry: FileEntry): void
}

const FileRow = memo(function FileRow({
  entry,
  index,
  height,
  isCursor,
  isMarked,
  acts,
}: {
  entry: FileEntry
  index: number
  height: number
  isCursor: boolean
  isMarked: boolean
  acts: RowActs
}) {
  const { t, format } = useTexts()
  const name = shownName(entry.name)
  const { size, modified } = entry
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and answers the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a row; the linter does not see the role
    <div
      id={`file-${index}`}
      {...{ ...asRow, 'aria-rowindex': index + 1, 'aria-selected': isMarked }}
      className={css.row}
      style={{ top: index * height }}
      data-cursor={isCursor || undefined}
      data-name={entry.name}
      onClick={(event) => acts.press(index, event)}
    >
      <span {...asCell}>
        <RowButton
          className={css.iconCell}
          data-folder={isFolder(entry) || undefined}
          aria-label={t('ui.list.mark', { name })}
          aria-pressed={isMarked}
          onPress={() => acts.mark(index)}
        >
          <Icon
            name={isMarked ? 'check' : isFolder(entry) ? 'folder' : entry.kind === 'link' ? 'link' : 'file'}
            size={14}
          />
        </RowButton>
      </span>
      <span {...asCell} className={css.nameCell} title={entry.target ? `${name} → ${shownName(entry.target)}` : name}>
        <bdi>{name}</bdi>
      </span>
      {size !== undefined && !isFolder(entry) && (
        <span {...asCell} className={css.figure}>
          {format.bytes(size)}
        </span>
      )}
      {modified !== undefined && (
        <span {...asCell} className={css.time} title={format.instantFull(modified)}>
          {format.instant(modified, live.now())}
        </span>
      )}
      <span {...asCell} className={css.buttonCell}>
        {!isFolder(entry) && (
          <RowButton
            className={css.rowButton}
            aria-label={t('ui.files.downloadNamed', { name })}
            title={t('ui.files.downloadNamed', { name })}
            onPress={() => acts.download(entry)}
          >
            <Icon name="download" size={14} />
          </RowButton>
        )}
      </span>
    </div>
  )
})
