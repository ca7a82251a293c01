import { useValue } from '@legendapp/state/react'
import { titleOf } from '@qd/core/define'
import { breadcrumb, isTypedPath, shownName } from '@qd/core/files'
import { server as servers } from '@qd/core/resources'
import { type ClipboardEvent, type DragEvent, Fragment, useEffect, useRef, useState } from 'react'
import { overlays$ } from '../base/state/overlays.ts'
import { records } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { IconButton } from '../ui/Button.tsx'
import { SearchInput } from '../ui/inputs/SearchInput.tsx'
import { Menu } from '../ui/overlays/Menu.tsx'
import { EditPane } from './EditPane.tsx'
import * as css from './FilePanel.css.ts'
import { FileQuestion } from './FileQuestion.tsx'
import { FileRows } from './FileRows.tsx'
import { FolderNotes, PanelHead } from './FolderHead.tsx'
import { useFileKeys } from './file-keys.ts'
import type { FileManager } from './file-manager.ts'
import { chosenFiles, droppedTree } from './local-tree.ts'
import { PreviewPane } from './PreviewPane.tsx'
import { Transfers } from './Transfers.tsx'
import { useFileManager, useFolder, useManagerView } from './use-manager.ts'

function Crumbs({ path, onGo }: { path: string; onGo: (path: string) => void }) {
  const { t } = useTexts()
  const { root, earlier, last } = breadcrumb(path)
  const above = [root, ...last.slice(0, -1)]
  const here = last.at(-1)
  return (
    <nav className={css.crumbs} aria-label={t('ui.files.path')}>
      {(here ? above : []).map((crumb, index) => (
        <Fragment key={crumb.path}>
          <button type="button" className={css.crumb} title={crumb.path} onClick={() => onGo(crumb.path)}>
            <bdi>{shownName(crumb.name)}</bdi>
          </button>
          <Separator />
          {index === 0 && earlier.length > 0 && (
            <>
              <Menu
                label={t('ui.files.earlier')}
                entries={earlier.map(({ name, path: to }) => ({ id: to, label: shownName(name), run: () => onGo(to) }))}
              >
                <IconButton label={t('ui.files.earlier')} icon="ellipsis" size="small" />
              </Menu>
              <Separator />
            </>
          )}
        </Fragment>
      ))}
      <b className={css.here} aria-current="page" title={path}>
        <bdi>{shownName(here?.name ?? root.name)}</bdi>
      </b>
    </nav>
  )
}

const Separator = () => (
  <span className={css.separator} aria-hidden="true">
    {'›'}
  </span>
)

/** Where a file manager is shown and how it starts. */
export interface FilePanelProps {
  server: number
  path: string
  /** Changes when `path` is requested again while the panel is open. */
  requestKey?: string
  startsTyping?: boolean
  isSheet?: boolean
  onClose: () => void
  onPath?: (path: string) => void
}

export function FilePanel(props: FilePanelProps) {
  const manager = useFileManager(props.server, props.path, props.requestKey)
  return manager && <Panel key={props.server} {...props} manager={manager} />
}

function Panel({ server, startsTyping, isSheet, onClose, onPath, manager }: FilePanelProps & { manager: FileManager }) {
  const { t } = useTexts()
  const folder = useFolder(manager)
  const { asked, preview, edited } = useManagerView(manager)
  const { browser, queue } = manager.controller
  const [isFiltering, setFiltering] = useState(false)
  const [isDropping, setDropping] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const row = useValue(() => records.row$('server', server).get())
  const name = row ? titleOf(servers, row) : `#${server}`
  const { path, find, isFound } = folder
  const typing = find !== null ? 'find' : isFiltering ? 'filter' : null
  const latest = useRef<typeof typing>(typing)
  latest.current = typing

  const close = async () => {
    if (await manager.mayLeave()) onClose()
  }
  useFileKeys(manager, {
    panel,
    type: (what) => (what === 'find' ? browser.setFind('') : setFiltering(true)),
    chooseFiles: () => chooser.current?.click(),
    close: () => void close(),
    escape() {
      const { marks, filter } = browser.state()
      const isEnded = queue.list().length > 0 && !queue.isBusy()
      if (latest.current === 'find') browser.setFind(null)
      else if (latest.current === 'filter') setFiltering(false)
      else if (manager.view().preview) manager.closePreview()
      else if (filter !== '') browser.setFilter('')
      else if (isEnded) queue.clear()
      else if (marks.size > 0) browser.clearMarks()
      else return false
      return true
    },
  })
  useEffect(() => {
    if (startsTyping) browser.setFind('')
  }, [startsTyping, browser])
  useEffect(() => {
    if (path !== '') onPath?.(path)
  }, [path, onPath])
  const isThere = folder.status !== 'opening'
  const isPlain = isThere && edited === null && preview === null && asked === null && typing === null
  useEffect(() => {
    if (isPlain) list.current?.focus()
  }, [isPlain])
  useEffect(() => {
    if (typing !== null) panel.current?.querySelector<HTMLElement>('input[type="text"]')?.focus()
  }, [typing])
  // In a folder that was entered, single keys are commands again.
  const before = useRef(path)
  useEffect(() => {
    if (before.current !== '' && before.current !== path) setFiltering(false)
    before.current = path
  }, [path])

  const take = (data: DataTransfer) => {
    const dropped = droppedTree(data)
    if (!dropped.isEmpty) void dropped.read().then(manager.upload, manager.fail)
    return !dropped.isEmpty
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setDropping(false)
    take(event.dataTransfer)
  }
  /** Pasted files are uploaded; a pasted path is opened. */
  const paste = (event: ClipboardEvent) => {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    if (take(event.clipboardData)) return event.preventDefault()
    const path = event.clipboardData.getData('text').trim()
    if (isField || edited || path === '' || path.includes('\n')) return
    event.preventDefault()
    void browser.go(path)
  }
  return (
    <aside
      ref={panel}
      className={[css.panel, isSheet && css.sheet, isDropping && css.dropping].filter(Boolean).join(' ')}
      aria-label={t('ui.files.titleOf', { name })}
      data-files=""
      onDragOver={(event) => {
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={(event) => {
        if (!panel.current?.contains(event.relatedTarget as Node | null)) setDropping(false)
      }}
      onDrop={drop}
      onPaste={paste}
    >
      <PanelHead
        manager={manager}
        name={name}
        isSheet={isSheet ?? false}
        onUpload={() => chooser.current?.click()}
        onClose={close}
      />
      <Crumbs path={path} onGo={(to) => void browser.go(to)} />
      {edited ? (
        <EditPane key={edited.path} manager={manager} entry={edited.entry} path={edited.path} />
      ) : preview ? (
        <PreviewPane manager={manager} preview={preview} />
      ) : (
        <div className={css.content}>
          <div>
            {(typing !== null || folder.filter !== '') && (
              <div className={css.tools}>
                <SearchInput
                  key={typing === 'find' ? 'find' : 'filter'}
                  label={t(typing === 'find' ? 'ui.files.jump' : 'ui.files.filter')}
                  value={typing === 'find' ? (find ?? '') : folder.filter}
                  onChange={typing === 'find' ? browser.setFind : browser.setFilter}
                  isFirst={typing !== null}
                  onKeyDown={(event) => {
                    if (event.nativeEvent.isComposing) return
                    if (event.key === 'ArrowDown') typing === 'find' ? browser.findNext(1) : setFiltering(false)
                    else if (event.key === 'ArrowUp') browser.findNext(-1)
                    else if (event.key === 'Enter') typing === 'find' ? void manager.open() : setFiltering(false)
                    else return
                    event.preventDefault()
                  }}
                />
                {find && !isFound && isThere && (
                  <p className={css.typed} role="status">
                    {isTypedPath(find, path)
                      ? t('ui.files.goTyped', { path: shownName(find) })
                      : t('ui.files.none', { filter: find })}
                  </p>
                )}
              </div>
            )}
            <FolderNotes manager={manager} />
          </div>
          {folder.status === 'opening' ? (
            <p className={css.empty} role="status">
              {t('ui.list.loading')}
            </p>
          ) : (
            <FileRows manager={manager} list={list} />
          )}
        </div>
      )}
      <div className={css.foot}>
        <Transfers manager={manager} name={name} onAnswered={() => list.current?.focus()} />
      </div>
      {isDropping && <p className={css.dropNote}>{t('ui.files.drop', { path: shownName(path) })}</p>}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('ui.keys.upload')}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) void manager.upload(chosenFiles(files))
        }}
      />
      {asked && <FileQuestion asked={asked} manager={manager} />}
    </aside>
  )
}

export function FilesHost() {
  const files = useValue(overlays$.files)
  if (!files) return null
  return (
    <FilePanel
      key={files.server}
      server={files.server}
      path={files.path}
      startsTyping
      isSheet
      onClose={() => overlays$.files.set(null)}
    />
  )
}
