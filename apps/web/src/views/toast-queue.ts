import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'
import { type Notice, showNotices } from '../overlays.ts'
import { runner } from '../stores.ts'

/** The toasts on screen, newest first. */
export const toasts = new ToastQueue<Notice>({ maxVisibleToasts: 4 })

/** How long a toast stays. Failures, and what can be taken back or is still under way, stay by themselves. */
const staysMs = 5000

/** Takes over what is said from now on, and what waited. */
export function startToasts(): void {
  showNotices((notice) => {
    for (const { key, content } of toasts.visibleToasts)
      if (notice.about !== undefined && content.about === notice.about) toasts.close(key)
    const stays = notice.tone === 'bad' || notice.canUndo || notice.run !== undefined
    const key = toasts.add(notice, stays ? {} : { timeout: staysMs })
    if (notice.canUndo) closeWithOffer(key)
  })
}

/** An undo is offered as long as the runner can do it. */
function closeWithOffer(key: string): void {
  const offer = runner.undo$.peek()
  const stop = runner.undo$.onChange(({ value }) => {
    if (value?.until === offer?.until) return
    stop()
    toasts.close(key)
  })
}
