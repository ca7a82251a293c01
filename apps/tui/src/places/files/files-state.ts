import { toAppError } from '@qd/core/errors'
import {
  createFileDesk,
  createFileSession,
  type FileDesk,
  type FileEntry,
  joinPath,
  type LookedAt,
} from '@qd/core/files'
import { socketPorts } from '../../base/connect/socket.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { outputLines } from '../views/output-tail.ts'
import { createTextScroll, type TextScroll } from '../views/text-scroll.ts'

/** A file that is looked at in place of its folder. */
export interface ShownLook {
  readonly entry: FileEntry
  readonly path: string
  readonly looked: LookedAt | null
  readonly scroll: TextScroll
  readonly isFollowing: boolean
}

/** The file manager of a server in the terminal UI: core's desk, and the file that is looked at. */
export interface FilesState {
  readonly desk: FileDesk
  readonly look: ShownLook | null
  showLook(entry: FileEntry): Promise<void>
  follow(): void
  closeLook(): void
  /** Draws what changes while the screen is there. Returns the function that ends it; a transfer that runs goes on to its end. */
  watch(): () => void
}

const followMs = 2000
const drawMs = 250

/** Builds it; nothing is asked for yet. */
export function createFilesState(ui: Ui, server: number): FilesState {
  const { workspace, io } = ui
  const session = createFileSession({
    server,
    api: workspace.client,
    ports: socketPorts(io),
    baseUrl: workspace.settings.url,
    headers: () => workspace.client.socketHeaders(),
  })
  const desk = createFileDesk({ session, server, remembered: workspace.remembered, now: io.now })
  const { browser, queue } = desk
  let look: ShownLook | null = null
  let stopFollowing = () => {}
  let isWatched = false
  let cancelDraw: (() => void) | null = null

  const load = async (shown: ShownLook) => {
    const { size: _size, ...entry } = shown.entry
    try {
      const looked = await desk.look(shown.path, shown.isFollowing ? entry : shown.entry)
      if (look?.path !== shown.path) return
      const text = looked.look.kind === 'text' ? looked.look.text : ''
      look = { ...look, looked, scroll: createTextScroll(outputLines(text), { isAtEnd: true }) }
    } catch (thrown) {
      if (look?.path === shown.path) state.closeLook()
      ui.fail(toAppError(thrown))
    }
    ui.changed()
  }
  const state: FilesState = {
    desk,
    get look() {
      return look
    },
    async showLook(entry) {
      const shown: ShownLook = {
        entry,
        path: joinPath(browser.state().path, entry.name),
        looked: null,
        scroll: createTextScroll([], { isAtEnd: true }),
        isFollowing: false,
      }
      look = shown
      ui.changed()
      await ui.during(load(shown))
    },
    follow() {
      if (!look) return
      stopFollowing()
      look = { ...look, isFollowing: !look.isFollowing }
      const again = async () => {
        const shown = look
        if (!shown?.isFollowing) return
        await load(shown)
        if (look?.isFollowing && look.path === shown.path) stopFollowing = io.setTimer(() => void again(), followMs)
      }
      void again()
    },
    closeLook() {
      stopFollowing()
      look = null
      ui.changed()
    },
    watch() {
      isWatched = true
      const draw = () => {
        cancelDraw = null
        ui.changed()
        if (queue.isBusy() && isWatched) cancelDraw = io.setTimer(draw, drawMs)
      }
      const stops = [
        browser.subscribe(() => ui.changed()),
        queue.subscribe(() => {
          cancelDraw ??= io.setTimer(draw, drawMs)
        }),
      ]
      return () => {
        isWatched = false
        for (const stop of stops) stop()
        cancelDraw?.()
        cancelDraw = null
        state.closeLook()
        if (!queue.isBusy()) return desk.close()
        const isDone = new Promise<void>((resolve) => {
          const wait = queue.subscribe(() => {
            if (queue.isBusy()) return
            wait()
            desk.close()
            resolve()
          })
        })
        void ui.during(isDone)
      }
    },
  }
  return state
}
