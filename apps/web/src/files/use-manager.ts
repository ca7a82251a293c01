import { type BrowserState, type FileEntry, type Transfer, watchTransfers } from '@qd/core/files'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { holdPage } from '../act/places/navigate.ts'
import { ports } from '../base/ports.ts'
import { createFileManager, type FileManager, type ManagerView } from './file-manager.ts'
import { clearLeftovers } from './save-file.ts'

/**
 * The file manager of a server while mounted, at `path`, again when `requestKey` changes. The browser asks before the page
 * is left during a transfer (behaviour W-30).
 */
export function useFileManager(server: number, path: string, requestKey?: string): FileManager | null {
  const [manager, setManager] = useState<FileManager | null>(null)
  const answered = useRef(requestKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is where it begins; later it follows the person
  useEffect(() => {
    const made = createFileManager(server)
    setManager(made)
    void made.controller.browser.go(path)
    void clearLeftovers()
    let release: (() => void) | null = null
    const stop = made.controller.queue.subscribe(() => {
      if (made.controller.queue.isBusy()) release ??= holdPage()
      else {
        release?.()
        release = null
      }
    })
    return () => {
      stop()
      release?.()
      made.close()
    }
  }, [server])
  useEffect(() => {
    if (answered.current === requestKey) return
    answered.current = requestKey
    if (path !== '') void manager?.controller.browser.go(path)
  }, [manager, requestKey, path])
  return manager
}

export function useFolder({ controller: { browser } }: FileManager): BrowserState<FileEntry> {
  return useSyncExternalStore(browser.subscribe, browser.state)
}

export function useManagerView(manager: FileManager): ManagerView {
  return useSyncExternalStore(manager.subscribe, manager.view)
}

/** The transfers, and the time of the last redraw. */
export function useTransfers({ controller: { queue } }: FileManager): { transfers: readonly Transfer[]; now: number } {
  const [shown, setShown] = useState(() => ({ transfers: queue.list(), now: Date.now() }))
  useEffect(() => {
    const draw = () => setShown({ transfers: queue.list(), now: Date.now() })
    draw()
    return watchTransfers(queue, ports, draw)
  }, [queue])
  return shown
}
