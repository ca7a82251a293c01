import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'
import { type Notice, showNotices } from '../../base/state/overlays.ts'
import { runner } from '../../base/state/runner.ts'

export const toasts = new ToastQueue<Notice>({ maxVisibleToasts: 4 })

/** Errors, undoable and running toasts don’t time out. */
const staysMs = 5000

const stays = ({ tone, canUndo, run }: Notice) => tone === 'bad' || canUndo === true || run !== undefined

export function startToasts(): void {
  showNotices((notice) => {
    // Undone before its toast was shown.
    if (notice.canUndo && runner.undo$.peek() === null) return
    // A success replaces the last one, so that they don’t pile up over what the user is about to press.
    for (const { key, content } of toasts.visibleToasts)
      if (!stays(content) || (notice.about !== undefined && content.about === notice.about)) toasts.close(key)
    const key = toasts.add(notice, stays(notice) ? {} : { timeout: staysMs })
    if (notice.canUndo) closeWithUndo(key)
  }, closeAbout)
}

function closeAbout(about: string): void {
  for (const { key, content } of toasts.visibleToasts) if (content.about === about) toasts.close(key)
}

/** An undo toast closes when the runner can’t undo any more. */
function closeWithUndo(key: string): void {
  const undo = runner.undo$.peek()
  const stop = runner.undo$.onChange(({ value }) => {
    if (value?.until === undo?.until) return
    stop()
    toasts.close(key)
  })
}
