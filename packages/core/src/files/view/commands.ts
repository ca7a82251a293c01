import type { FileController } from './controller.ts'
import type { FileOperations } from './operations.ts'

/** What keys of a file manager do in the folder shown. `during`: called with what takes a moment. */
export function folderCommands(
  { browser, queue }: Pick<FileController, 'browser' | 'queue'>,
  operations: Pick<FileOperations, 'makeFolder' | 'rename' | 'remove' | 'checksum'>,
  during: (work: Promise<unknown>) => unknown = () => undefined,
) {
  const extend = (by: number) => {
    if (browser.state().marks.size === 0) browser.toggleMark()
    browser.move(by)
    browser.markRange()
  }
  const taking = (work: () => Promise<unknown>) => () => void during(work())
  return {
    next: () => browser.move(1),
    previous: () => browser.move(-1),
    first: () => browser.moveTo(0),
    last: () => browser.moveTo(browser.state().shown.length - 1),
    extendDown: () => extend(1),
    extendUp: () => extend(-1),
    markRange: browser.markRange,
    markAll: browser.markAll,
    markEntry() {
      browser.toggleMark()
      browser.move(1)
    },
    parentFolder: taking(browser.up),
    folderBack: taking(browser.back),
    folderForward: taking(browser.forward),
    refreshFolder: taking(browser.refresh),
    cancelTransfer() {
      const running = queue.list().find(({ state }) => state === 'running')
      if (running) queue.cancel(running.id)
    },
    retryTransfers: queue.retryAll,
    newFolder: taking(operations.makeFolder),
    renameEntry: taking(operations.rename),
    removeEntries: taking(operations.remove),
    checksum: taking(operations.checksum),
  }
}
