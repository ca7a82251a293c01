import type { FileCommand } from '@qd/core/actions'
import { titleOf } from '@qd/core/define'
import { folderCommands } from '@qd/core/files'
import { server as servers } from '@qd/core/resources'
import { type RefObject, useEffect } from 'react'
import { onCommands } from '../act/keys/commands.ts'
import { copy } from '../act/perform/perform.ts'
import { showOpenFiles } from '../base/state/open-files.ts'
import { records } from '../base/state/stores.ts'
import type { FileManager } from './file-manager.ts'

const rowsOfPage = 16

export interface PanelKeys {
  panel: RefObject<HTMLElement | null>
  type(what: 'filter' | 'find'): void
  chooseFiles(): void
  /** Closes the innermost of preview, box, filter and selection; false if none is open. */
  escape(): boolean
  close(): void
}

export function useFileKeys(manager: FileManager, keys: PanelKeys): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is latest is read from the manager itself
  useEffect(() => {
    const { operations } = manager
    const { browser } = manager.controller
    const folder = folderCommands(manager.controller, operations)
    const hasFocus = () => keys.panel.current?.contains(document.activeElement) ?? false
    /** Keys shared with record lists work only while the focus is here. */
    const here = (run: () => void) => () => (hasFocus() ? run() : false)
    const unless = (command: FileCommand, run: () => void) => () => {
      if (!operations.missing().has(command)) run()
    }
    const typeIn = (what: 'filter' | 'find') => {
      if (!manager.view().preview) keys.type(what)
    }
    const current = () => manager.view().preview?.entry ?? browser.current()
    const stops = [
      onCommands({
        ...folder,
        next: here(folder.next),
        previous: here(folder.previous),
        first: here(folder.first),
        last: here(folder.last),
        pageDown: here(() => browser.move(rowsOfPage)),
        pageUp: here(() => browser.move(-rowsOfPage)),
        markRange: here(folder.markRange),
        extendDown: here(folder.extendDown),
        extendUp: here(folder.extendUp),
        markAll: here(folder.markAll),
        filter: here(() => typeIn('filter')),
        escape: here(() => {
          if (!keys.escape()) keys.close()
        }),
        copyCli: here(() => void copy(cliLine(manager))),
        openEntry: () => void manager.open(),
        look: () => void (manager.view().preview ? manager.closePreview() : manager.preview(current())),
        follow: manager.follow,
        jump: () => typeIn('find'),
        goToPath: () => void manager.goTo(),
        download: () => manager.download(manager.view().preview ? [manager.view().preview!.entry] : undefined),
        upload: keys.chooseFiles,
        copyPath: () => void copy(operations.pathOf(current())),
        editFile: () => manager.edit(current()),
        newFolder: unless('newFolder', folder.newFolder),
        renameEntry: unless('renameEntry', folder.renameEntry),
        removeEntries: unless('removeEntries', folder.removeEntries),
        checksum: unless('checksum', folder.checksum),
      }),
      showOpenFiles({
        folder: () => ({ entries: browser.state().entries, without: operations.missing() }),
        open: manager.openName,
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [manager])
}

function cliLine({ operations, server, view, controller }: FileManager): string {
  const row = records.peek('server', server)
  const entry = view().preview?.entry ?? controller.browser.current()
  return operations.cliLine({ id: server, name: row ? titleOf(servers, row) : '' }, entry)
}
