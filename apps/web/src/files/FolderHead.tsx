import { shownName } from '@qd/core/files'
import { errorText } from '@qd/core/i18n'
import { capsOf } from '../act/keys/keys.ts'
import { copy } from '../act/perform/perform.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Menu } from '../ui/overlays/Menu.tsx'
import * as css from './FilePanel.css.ts'
import type { FileManager } from './file-manager.ts'
import { canStream, memoryBytes } from './save-file.ts'
import { useFolder } from './use-manager.ts'

const ofEntry: ReadonlySet<string> = new Set(['renameEntry', 'checksum', 'removeEntries'])

export function PanelHead({
  manager,
  name,
  isSheet,
  onUpload,
  onClose,
}: {
  manager: FileManager
  name: string
  isSheet: boolean
  onUpload: () => void
  onClose: () => Promise<void>
}) {
  const { t, format } = useTexts()
  const { entries, shown, filter, path } = useFolder(manager)
  const { browser } = manager.controller
  const folders = entries.filter(({ kind }) => kind === 'folder').length
  const counts = [
    folders > 0 && t('ui.files.folders', { count: folders }),
    entries.length > folders && t('ui.files.files', { count: entries.length - folders }),
  ].filter((text) => text !== false)
  const missing = manager.operations.missing()
  const menu = [
    { id: 'refreshFolder', run: () => void browser.refresh() },
    { id: 'copyPath', run: () => void copy(path) },
    { id: 'goToPath', run: () => void manager.goTo() },
    { id: 'newFolder', run: () => void manager.operations.makeFolder() },
    { id: 'renameEntry', run: () => void manager.operations.rename() },
    { id: 'checksum', run: () => void manager.operations.checksum() },
    { id: 'removeEntries', run: () => void manager.operations.remove(), tone: 'bad' as const },
  ] as const
  return (
    <header className={css.head}>
      <h2 className={css.title}>{isSheet ? t('ui.files.titleOf', { name }) : t('ui.files.title')}</h2>
      <span className={css.count} role="status">
        {filter === '' ? format.list(counts) : t('ui.files.shown', { shown: shown.length, count: entries.length })}
      </span>
      <span className={css.grow} />
      <IconButton label={t('ui.keys.upload')} icon="upload" caps={capsOf('upload')} onPress={onUpload} />
      <Menu
        label={t('ui.files.more')}
        entries={menu
          .filter(({ id }) => !missing.has(id) && (shown.length > 0 || !ofEntry.has(id)))
          .map(({ id, ...entry }) => ({
            ...entry,
            id,
            label: t(`ui.keys.${id}`),
            caps: capsOf(id),
            ruled: id === 'newFolder',
          }))}
      >
        <IconButton label={t('ui.files.more')} icon="ellipsis" />
      </Menu>
      <IconButton label={t('ui.frame.close')} icon="x" caps={capsOf('escape')} onPress={() => void onClose()} />
    </header>
  )
}

export function FolderNotes({ manager }: { manager: FileManager }) {
  const { t, format, translator } = useTexts()
  const { status, error, refused, path, isCut } = useFolder(manager)
  const { browser } = manager.controller
  const failure = status === 'failed' && error ? errorText(translator, error) : null
  if (!failure && refused === null && !isCut && canStream()) return null
  return (
    <div className={css.notes}>
      {refused !== null && (
        <Note tone="warn" title={t('ui.files.refused', { path: shownName(refused), shown: shownName(path) })} />
      )}
      {failure && (
        <Note tone="bad" title={t('ui.files.fmError')}>
          <p>{[failure.title, ...failure.details, failure.hint].filter(Boolean).join(' · ')}</p>
          <Button size="small" onPress={() => void browser.retry()}>
            {t('ui.live.tryNow')}
          </Button>
        </Note>
      )}
      {isCut && <Note tone="warn" title={t('ui.files.cut')} />}
      {!canStream() && <Note title={t('ui.files.transfer.memory', { size: format.bytes(memoryBytes) })} />}
    </div>
  )
}
