import { observe } from '@legendapp/state'
import type { Cancel } from '@qd/core/api'
import type { AnyRow } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import type { RunCounts } from '@qd/core/resources'
import type { Ui } from '../state/ui.ts'

/** One run with all that it did, for screens that show it live. */
export interface RunWatch {
  row(): AnyRow | undefined
  load(): void
  /** Asks now, and again whenever it has changed, until it is cancelled. */
  enter(): Cancel
}

/** Shortest time between two requests of a run while it changes. */
const reloadMs = 700

/** Watches one run. */
export function createRunWatch(ui: Ui, id: number): RunWatch {
  const { records } = ui.workspace
  let loading: Promise<void> | null = null
  let again = false
  const load = () => {
    if (loading) {
      again = true
      return
    }
    loading = records
      .loadOne('run', id)
      .then(() => undefined)
      .catch((thrown: unknown) => ui.fail(toAppError(thrown)))
      .finally(() => {
        ui.changed()
        ui.io.setTimer(() => {
          loading = null
          if (again) load()
          again = false
        }, reloadMs)
      })
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
      return () => {
        stop()
        again = false
      }
    },
  }
}
