/** Parses JSON; undefined if it is damaged, so that one bad row doesn't stop the others (S-49). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a JSON list; empty if it is damaged. */
export function listOf<Entry>(text: string): readonly Entry[] {
  const list = jsonOf(text)
  return Array.isArray(list) ? list : []
}
