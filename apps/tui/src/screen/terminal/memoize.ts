/** Memoizes up to twice `most` texts; recently used ones stay. */
export function memoize<T>(most: number, make: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const made = old.get(text) ?? make(text)
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(text, made)
    return made
  }
}
