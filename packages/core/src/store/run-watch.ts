import { observe } from '@legendapp/state'
import { type Clock, same } from '../actions/index.ts'
import type { Cancel } from '../api/index.ts'
import { type AppError, toAppError } from '../errors.ts'
import type { RunCounts } from '../resources/index.ts'
import type { Records } from './records.ts'

const reloadMs = 700
const growMs = 1000

/** Reads a run with its output while somebody looks at it, until it is over. `onRead`: after each try, with its error. */
export function createRunWatch(
  {
    records,
    setTimer,
    onRead,
  }: {
    records: Pick<Records, 'row$' | 'detail$' | 'loadOne'>
    setTimer: Clock['setTimer']
    onRead(error: AppError | null): void
  },
  id: number,
) {
  const countsOf = () => records.detail$('run', id).peek()?.counts as RunCounts | undefined
  let isWatched = false
  let isLoading = false
  let again = false
  const load = async () => {
    again = isLoading
    if (isLoading) return
    isLoading = true
    const answer = await records.loadOne('run', id).then(
      (row) => {
        onRead(null)
        return row
      },
      (thrown: unknown) => {
        onRead(toAppError(thrown))
        return null
      },
    )
    setTimer(() => {
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
        if (records.detail$('run', id).get() && !isLoading) setTimer(load, 0)
      })
      // The feed has counts, not output.
      let cancel: Cancel = () => undefined
      const poll = () => {
        if (!isOver()) void load()
        cancel = setTimer(poll, growMs)
      }
      cancel = setTimer(poll, growMs)
      return () => {
        isWatched = false
        stop()
        cancel()
      }
    },
  }
}
