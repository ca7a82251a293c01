import { timedOut, within } from '../waiting.ts'

export const noResponse = (): Error =>
  Object.assign(new Error('the file system doesn’t respond'), { code: 'ENORESPONSE' })

const placeMs = 5_000

export type Gate = ReturnType<typeof createGate>

let held = 0

/** A hung call prevents a normal exit, which waits for its thread. */
export const holdsThread = (): boolean => held > 0

/** Bounds calls that may hang: each holds one of the process’s four threads as long as a dead file system, device or name server holds the call. */
export const createGate = (places: number) => {
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
    if ((await within(Math.min(placeMs, answerMs), place)) !== timedOut) return
    const at = waiting.indexOf(take)
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
    /** Whether a call for the path, or one above, hangs. */
    isOwed,
    /** Runs a call in one of the places. After `answerMs` it counts as hung; until it returns, calls for the same path or below fail at once. Errors: `noResponse`, the call’s. */
    async run<T>(path: string, answerMs: number, call: () => Promise<T>): Promise<T> {
      if (isOwed(path)) throw noResponse()
      await takePlace(answerMs)
      const answer = call().finally(givePlace)
      const result = await within(answerMs, answer)
      if (result !== timedOut) return result
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
