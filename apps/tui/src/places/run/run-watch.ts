import { observe } from '@legendapp/state'
import { same } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import { toAppError } from '@qd/core/errors'
import type { RunCounts } from '@qd/core/resources'
import type { Ui } from '../../screen/state/ui.ts'

const reloadMs = 700
const growMs = 1000

export function createRunWatch(ui: Ui, id: number) {
  const { io } = ui
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
    io.setTimer(() => {
      isLoading = false
      // The feed may have newer counts.
      if (isWatched && (again || (answer && !same(countsOf(), answer.counts)))) void load()
      again = false
    }, reloadMs)
  }
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
        if (records.detail$('run', id).get() && !isLoading) io.setTimer(load, 0)
      })
      // The feed has counts, not output.
      let cancel: Cancel = () => undefined
      const poll = () => {
        if (!isOver()) void load()
        cancel = io.setTimer(poll, growMs)
      }
      cancel = io.setTimer(poll, growMs)
      return () => {
        isWatched = false
        stop()
        cancel()
      }
    },
  }
}
