/** Functions that are called when something happens. */
export interface Listeners<Args extends readonly unknown[]> {
  /** Returns the function that removes the listener. */
  add(listen: (...args: Args) => void): () => void
  notify(...args: Args): void
}

/** A list without listeners. */
export function createListeners<Args extends readonly unknown[]>(): Listeners<Args> {
  const all = new Set<(...args: Args) => void>()
  return {
    add(listen) {
      all.add(listen)
      return () => all.delete(listen)
    },
    notify(...args) {
      for (const listen of all) listen(...args)
    },
  }
}
