import { late, within } from '../waiting.ts'

/** What a call fails with whose file system, or those of all calls before it, doesn’t respond. */
export const noResponse = (): Error =>
  Object.assign(new Error('the file system doesn’t respond'), { code: 'ENORESPONSE' })

/** How long a call waits for a place, in milliseconds. */
const placeMs = 5_000

/** Calls to the system about paths. */
export interface Gate {
  /**
   * Runs a call in one of the places. After `answerMs` it doesn’t respond; until it does, calls about the same path, or one below it, fail at
   * once. Errors: `noResponse`, those of the call.
   */
  run<T>(path: string, answerMs: number, call: () => Promise<T>): Promise<T>
  /** Whether a call about this path, or one above it, is late. */
  isOwed(path: string): boolean
}

let held = 0

/** Whether a call is late now and keeps its thread: the process can’t end in the usual way, which waits for its threads. */
export const holdsThread = (): boolean => held > 0

/**
 * Bounds the calls to the system that may hang. Each takes one of the four threads that this process has for all such calls, and keeps it for
 * as long as a dead file system, device or name server keeps the call. All gates together have fewer places than there are threads.
 */
export const createGate = (places: number): Gate => {
  const waiting: (() => void)[] = []
  const owed: string[] = []
  let taken = 0

  const takePlace = async (answerMs: number): Promise<void> => {
    if (taken < places) {
      taken += 1
      return
    }
    let take = () => {}
    const place = new Promise<void>((resolve) => {
      take = resolve
    })
    waiting.push(take)
    if ((await within(Math.min(placeMs, answerMs), place)) !== late) return
    const at = waiting.indexOf(take)
    // The place may have come at the last moment.
    if (at < 0) return
    waiting.splice(at, 1)
    throw noResponse()
  }
  const givePlace = () => {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  const isOwed = (path: string) => owed.some((one) => path === one || path.startsWith(`${one}/`))

  return {
    isOwed,
    async run(path, answerMs, call) {
      if (isOwed(path)) throw noResponse()
      await takePlace(answerMs)
      const answer = call().finally(givePlace)
      const result = await within(answerMs, answer)
      if (result !== late) return result
      owed.push(path)
      held += 1
      const settle = () => {
        owed.splice(owed.indexOf(path), 1)
        held -= 1
      }
      answer.then(settle, settle)
      throw noResponse()
    },
  }
}
