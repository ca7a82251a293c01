import {
  createFileController,
  createFileSession,
  createShownFile,
  type ShownFile,
  watchTransfers,
} from '@qd/core/files'
import { socketPorts } from '../../base/connect/socket.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createTextScroll, outputLines, type TextScroll } from '../views/text-scroll.ts'

export interface ShownPreview extends ShownFile {
  readonly scroll: TextScroll
}

export type FilesState = ReturnType<typeof createFilesState>

/** The controller of core, whose readers are drawn again after each of its changes. */
export function createFilesState(ui: Ui, server: number) {
  const { workspace, io } = ui
  const session = createFileSession({
    server,
    api: workspace.client,
    ports: socketPorts(io),
    baseUrl: workspace.settings.url,
    headers: () => workspace.client.socketHeaders(),
  })
  const made = createFileController({ session, server, remembered: workspace.remembered, now: io.now })
  const seen = createState({ changes: 0, preview: null as ShownPreview | null })
  const changed = () => {
    seen.changes += 1
  }
  const tracking =
    <Value>(read: () => Value) =>
    () => {
      void seen.changes
      return read()
    }
  const browser = { ...made.browser, state: tracking(made.browser.state) }
  const queue = { ...made.queue, list: tracking(made.queue.list) }
  const file = createShownFile(made, io, () => {
    const shown = file.get()
    if (shown?.error) {
      file.close()
      ui.fail(shown.error)
    } else seen.preview = shown && { ...shown, scroll: scrollOf(shown) }
  })
  const scrollOf = ({ loaded }: ShownFile) => {
    const { preview } = seen
    if (preview && preview.loaded === loaded) return preview.scroll
    const text = loaded?.preview.kind === 'text' ? loaded.preview.text : ''
    return createTextScroll(outputLines(text), { isAtEnd: true })
  }
  const closeWhenDone = () => {
    if (!queue.isBusy()) return made.close()
    const isDone = new Promise<void>((resolve) => {
      const stop = queue.subscribe(() => {
        if (queue.isBusy()) return
        stop()
        made.close()
        resolve()
      })
    })
    void ui.during(isDone)
  }
  return {
    controller: { ...made, browser, queue },
    get preview() {
      return seen.preview
    },
    showLook: (entry: Parameters<typeof file.show>[0]) => ui.during(file.show(entry)),
    follow: file.follow,
    closePreview: file.close,
    watch() {
      const stops = [browser.subscribe(changed), watchTransfers(queue, io, changed)]
      return () => {
        for (const stop of stops) stop()
        file.close()
        closeWhenDone()
      }
    },
  }
}
