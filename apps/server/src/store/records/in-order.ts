/** Runs one piece of work after the other, so that what each looked at holds until it has written. A failure stops nobody else. */
export function createOrder(): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }
}
