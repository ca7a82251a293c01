/** The commands that go by one row, by half a page, and by a page, of which `overlap` rows stay in sight. */
export function stepCommands(go: (by: number) => void, rows: () => number, overlap = 1): Record<string, () => void> {
  const page = () => Math.max(1, rows() - overlap)
  const half = () => Math.ceil(rows() / 2)
  return {
    next: () => go(1),
    previous: () => go(-1),
    pageDown: () => go(page()),
    pageUp: () => go(-page()),
    halfDown: () => go(half()),
    halfUp: () => go(-half()),
  }
}
