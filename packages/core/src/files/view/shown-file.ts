import type { Cancel, Clock } from '../../api/index.ts'
import { type AppError, toAppError } from '../../errors.ts'
import type { FileEntry } from '../types.ts'
import type { FileController, FilePreview } from './controller.ts'
import { joinPath } from './paths.ts'

/** A file previewed in place of its folder. `loaded` is null until loaded. */
export interface ShownFile {
  readonly entry: FileEntry
  readonly path: string
  readonly loaded: FilePreview | null
  readonly error: AppError | null
  readonly isFollowing: boolean
}

const followMs = 2000

/** The file of the folder shown that is previewed, and followed while it grows. */
export function createShownFile(
  { browser, preview }: Pick<FileController, 'browser' | 'preview'>,
  { setTimer }: Pick<Clock, 'setTimer'>,
  onChange: () => void,
) {
  let shown: ShownFile | null = null
  let stopFollowing: Cancel = () => undefined
  const change = (next: ShownFile | null) => {
    shown = next
    onChange()
  }
  const load = async ({ path, entry }: ShownFile) => {
    const found = await preview(path, entry).then(
      (loaded) => ({ loaded, error: null }),
      (thrown: unknown) => ({ error: toAppError(thrown) }),
    )
    if (shown?.path === path) change({ ...shown, ...found })
  }
  return {
    get: () => shown,
    async show(entry: FileEntry) {
      stopFollowing()
      const path = joinPath(browser.state().path, entry.name)
      const opened = { entry, path, loaded: null, error: null, isFollowing: false }
      change(opened)
      await load(opened)
    },
    /** Reads it again and again, or no longer. */
    follow() {
      if (!shown) return
      stopFollowing()
      const { path } = shown
      change({ ...shown, isFollowing: !shown.isFollowing })
      const again = async () => {
        if (!shown?.isFollowing || shown.path !== path) return
        // A growing file’s old size is wrong.
        const { size: _size, ...entry } = shown.entry
        await load({ ...shown, entry })
        if (shown?.isFollowing && shown.path === path) stopFollowing = setTimer(() => void again(), followMs)
      }
      void again()
    },
    close() {
      stopFollowing()
      change(null)
    },
  }
}
