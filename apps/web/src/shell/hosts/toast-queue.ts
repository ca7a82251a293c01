import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components'
import { type Notice, showNotices } from '../../base/state/overlays.ts'
import { runner } from '../../base/state/runner.ts'

/** The toasts on screen, newest first. */
export const toasts = new ToastQueue<Notice>({ maxVisibleToasts: 4 })

/** How long a toast stays. Failures, and what can be taken back or is still under way, stay by themselves. */
const staysMs = 5000

const stays = ({ tone, canUndo, run }: Notice) => tone === 'bad' || canUndo === true || run !== undefined

/** Takes over what is said from now on, and what waited. */
export function startToasts(): void {
  showNotices((notice) => {
    // Taken back before this came to say so.
    if (notice.canUndo && runner.undo$.peek() === null) return
    // What went well gives way to the next, so that they do not pile up over what one is about to press.
    for (const { key, content } of toasts.visibleToasts)
      if (!stays(content) || (notice.about !== undefined && content.about === notice.about)) toasts.close(key)
    const key = toasts.add(notice, stays(notice) ? {} : { timeout: staysMs })
    if (notice.canUndo) closeWithOffer(key)
  }, closeAbout)
}

function closeAbout(about: string): void {
  for (const { key, content } of toasts.visibleToasts) if (content.about === about) toasts.close(key)
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
