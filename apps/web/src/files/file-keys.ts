import type { FileCommand } from '@qd/core/actions'
import { titleOf } from '@qd/core/define'
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
    const { browser, queue } = manager.controller
    const hasFocus = () => keys.panel.current?.contains(document.activeElement) ?? false
    /** Keys shared with record lists work only while the focus is here. */
    const here = (run: () => void) => () => (hasFocus() ? run() : false)
    const extend = (by: number) => {
      if (browser.state().marks.size === 0) browser.toggleMark()
      browser.move(by)
      browser.markRange()
    }
    const unless = (command: FileCommand, run: () => void) => () => {
      if (!operations.missing().has(command)) run()
    }
    const typeIn = (what: 'filter' | 'find') => {
      if (!manager.view().preview) keys.type(what)
    }
    const current = () => manager.view().preview?.entry ?? browser.current()
    const stops = [
      onCommands({
        next: here(() => browser.move(1)),
        previous: here(() => browser.move(-1)),
        first: here(() => browser.moveTo(0)),
        last: here(() => browser.moveTo(browser.state().shown.length - 1)),
        pageDown: here(() => browser.move(rowsOfPage)),
        pageUp: here(() => browser.move(-rowsOfPage)),
        markRange: here(browser.markRange),
        extendDown: here(() => extend(1)),
        extendUp: here(() => extend(-1)),
        markAll: here(browser.markAll),
        filter: here(() => typeIn('filter')),
        escape: here(() => {
          if (!keys.escape()) keys.close()
        }),
        copyCli: here(() => void copy(cliLine(manager))),
        openEntry: () => void manager.open(),
        look: () => void (manager.view().preview ? manager.closePreview() : manager.preview(current())),
        follow: manager.follow,
        parentFolder: () => void browser.up(),
        folderBack: () => void browser.back(),
        folderForward: () => void browser.forward(),
        jump: () => typeIn('find'),
        goToPath: () => void manager.goTo(),
        refreshFolder: () => void browser.refresh(),
        markEntry() {
          browser.toggleMark()
          browser.move(1)
        },
        download: () => manager.download(manager.view().preview ? [manager.view().preview!.entry] : undefined),
        upload: keys.chooseFiles,
        cancelTransfer() {
          const running = queue.list().find(({ state }) => state === 'running')
          if (running) queue.cancel(running.id)
        },
        retryTransfers: queue.retryAll,
        copyPath: () => void copy(operations.pathOf(current())),
        editFile: () => manager.edit(current()),
        newFolder: unless('newFolder', () => void operations.makeFolder()),
        renameEntry: unless('renameEntry', () => void operations.rename()),
        removeEntries: unless('removeEntries', () => void operations.remove()),
        checksum: unless('checksum', () => void operations.checksum()),
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
