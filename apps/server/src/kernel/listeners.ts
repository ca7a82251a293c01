export interface Listeners<Args extends readonly unknown[]> {
  add(listen: (...args: Args) => void): () => void
  notify(...args: Args): void
}

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
