/** Runs work in order, so that what it has checked holds until it has written. A failure doesn't stop the next. */
export function createOrder(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }
}
