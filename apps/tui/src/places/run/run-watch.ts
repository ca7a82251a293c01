import { observe } from '@legendapp/state'
import { same } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import type { AnyRow } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import type { RunCounts } from '@qd/core/resources'
import type { Ui } from '../../screen/state/ui.ts'

/** One run with all that it did, for screens that show it live. */
export interface RunWatch {
  row(): AnyRow | undefined
  load(): void
  /** Asks now, and again whenever it has changed, until it is cancelled. */
  enter(): Cancel
}

/** Shortest time between two requests of a run while it changes. */
const reloadMs = 700
/** How often is asked for output that has grown. */
const growMs = 1000

/** Watches one run. */
export function createRunWatch(ui: Ui, id: number): RunWatch {
  const { records } = ui.workspace
  let loading: Promise<void> | null = null
  let again = false
  /** The counts of the last answer; null without one. The feed may bring newer ones while another request would come too soon. */
  let answered: RunCounts | null = null
  const countsOf = () => records.detail$('run', id).peek()?.counts as RunCounts | undefined
  const load = () => {
    if (loading) {
      again = true
      return
    }
    answered = null
    loading = records
      .loadOne('run', id)
      .then(({ counts }) => {
        answered = counts as RunCounts
      })
      .catch((thrown: unknown) => ui.fail(toAppError(thrown)))
      .finally(() => {
        ui.changed()
        ui.io.setTimer(() => {
          loading = null
          if (again || (answered !== null && !same(countsOf(), answered))) load()
          again = false
        }, reloadMs)
      })
  }
  /** Nothing more comes of it; what is not here yet may. */
  const isOver = () => {
    const counts = countsOf()
    return counts !== undefined && counts.waiting + counts.sent + counts.running === 0
  }
  return {
    row: () => records.detail$('run', id).peek(),
    load,
    enter() {
      load()
      const stop = observe(() => {
        records.row$('run', id).get()
        const { counts } = (records.detail$('run', id).get() ?? {}) as { counts?: RunCounts }
        if (counts && loading === null) ui.io.setTimer(load, 0)
      })
      // The feed tells of counts, not of output that has grown.
      let cancel: Cancel = () => undefined
      const poll = () => {
        if (!isOver()) load()
        cancel = ui.io.setTimer(poll, growMs)
      }
      cancel = ui.io.setTimer(poll, growMs)
      return () => {
        stop()
        cancel()
        again = false
      }
    },
  }
}
