import { observe } from '@legendapp/state'
import { same } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import { toAppError } from '@qd/core/errors'
import type { RunCounts } from '@qd/core/resources'
import type { Ui } from '../../screen/state/ui.ts'

/** Shortest time between two requests of a run while it changes. */
const reloadMs = 700
/** How often is asked for output that has grown. */
const growMs = 1000

/** One run with all that it did, for screens that show it live. */
export interface RunWatch {
  load(): Promise<void>
  /** Asks now, and again whenever it has changed, until it is cancelled. */
  enter(): Cancel
}

/** Watches one run. */
export function createRunWatch(ui: Ui, id: number): RunWatch {
  const { records } = ui.workspace
  const countsOf = () => records.detail$('run', id).peek()?.counts as RunCounts | undefined
  let isWatched = false
  let isLoading = false
  let again = false
  const load = async () => {
    again = isLoading
    if (isLoading) return
    isLoading = true
    const answer = await records.loadOne('run', id).catch((thrown: unknown) => {
      ui.fail(toAppError(thrown))
      return null
    })
    ui.changed()
    ui.io.setTimer(() => {
      isLoading = false
      // The feed may have brought newer counts meanwhile.
      if (isWatched && (again || (answer && !same(countsOf(), answer.counts)))) void load()
      again = false
    }, reloadMs)
  }
  /** Nothing more comes of it; what is not here yet may. */
  const isOver = () => {
    const counts = countsOf()
    return counts !== undefined && counts.waiting + counts.sent + counts.running === 0
  }
  return {
    load,
    enter() {
      isWatched = true
      void load()
      const stop = observe(() => {
        records.row$('run', id).get()
        if (records.detail$('run', id).get() && !isLoading) ui.io.setTimer(load, 0)
      })
      // The feed tells of counts, not of output that has grown.
      let cancel: Cancel = () => undefined
      const poll = () => {
        if (!isOver()) void load()
        cancel = ui.io.setTimer(poll, growMs)
      }
      cancel = ui.io.setTimer(poll, growMs)
      return () => {
        isWatched = false
        stop()
        cancel()
      }
    },
  }
}
