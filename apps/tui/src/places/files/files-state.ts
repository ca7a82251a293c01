import { toAppError } from '@qd/core/errors'
import {
  createFileController,
  createFileSession,
  type FileController,
  type FileEntry,
  type FilePreview,
  joinPath,
} from '@qd/core/files'
import { socketPorts } from '../../base/connect/socket.ts'
import { createState } from '../../screen/state/observed.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { createTextScroll, outputLines, type TextScroll } from '../views/text-scroll.ts'

export interface ShownPreview {
  readonly entry: FileEntry
  readonly path: string
  readonly loaded: FilePreview | null
  readonly scroll: TextScroll
  readonly isFollowing: boolean
}

export type FilesState = ReturnType<typeof createFilesState>

const followMs = 2000
const drawMs = 250

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
  const seen = createState({ preview: null as ShownPreview | null, changes: 0 })
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
  const controller = { ...made, browser, queue }
  let stopFollowing = () => {}
  let isWatched = false
  let cancelDraw: (() => void) | null = null

  const load = async (shown: ShownPreview) => {
    const { size: _size, ...entry } = shown.entry
    try {
      const loaded = await controller.preview(shown.path, shown.isFollowing ? entry : shown.entry)
      if (seen.preview?.path !== shown.path) return
      const text = loaded.preview.kind === 'text' ? loaded.preview.text : ''
      seen.preview = { ...seen.preview, loaded, scroll: createTextScroll(outputLines(text), { isAtEnd: true }) }
    } catch (thrown) {
      if (seen.preview?.path === shown.path) state.closePreview()
      ui.fail(toAppError(thrown))
    }
  }
  const state = {
    controller: controller as FileController,
    get preview(): ShownPreview | null {
      return seen.preview
    },
    async showLook(entry: FileEntry) {
      const shown: ShownPreview = {
        entry,
        path: joinPath(browser.state().path, entry.name),
        loaded: null,
        scroll: createTextScroll([], { isAtEnd: true }),
        isFollowing: false,
      }
      seen.preview = shown
      await ui.during(load(shown))
    },
    follow() {
      if (!seen.preview) return
      stopFollowing()
      seen.preview = { ...seen.preview, isFollowing: !seen.preview.isFollowing }
      const again = async () => {
        const shown = seen.preview
        if (!shown?.isFollowing) return
        await load(shown)
        if (seen.preview?.isFollowing && seen.preview.path === shown.path)
          stopFollowing = io.setTimer(() => void again(), followMs)
      }
      void again()
    },
    closePreview(): void {
      stopFollowing()
      seen.preview = null
    },
    watch(): () => void {
      isWatched = true
      const draw = () => {
        cancelDraw = null
        changed()
        if (queue.isBusy() && isWatched) cancelDraw = io.setTimer(draw, drawMs)
      }
      const stops = [
        browser.subscribe(changed),
        queue.subscribe(() => {
          if (cancelDraw) return
          changed()
          cancelDraw = io.setTimer(draw, drawMs)
        }),
      ]
      return () => {
        isWatched = false
        for (const stop of stops) stop()
        cancelDraw?.()
        cancelDraw = null
        state.closePreview()
        if (!queue.isBusy()) return controller.close()
        const isDone = new Promise<void>((resolve) => {
          const wait = queue.subscribe(() => {
            if (queue.isBusy()) return
            wait()
            controller.close()
            resolve()
          })
        })
        void ui.during(isDone)
      }
    },
  }
  return state
}
