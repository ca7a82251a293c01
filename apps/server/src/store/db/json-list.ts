/** A list that is stored as JSON text. A damaged one is empty, so that one bad row does not stop the others (S-49). Pure. */
export function listOf<Entry>(text: string): readonly Entry[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}
