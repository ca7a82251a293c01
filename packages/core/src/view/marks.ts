/** IDs of selected rows, kept apart from rows so that they survive sorting, filtering and loading. */
export type Marks = ReadonlySet<number>

export function toggleMark(marks: Marks, id: number): Marks {
  const next = new Set(marks)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Selects a range of the listed rows, both ends included. An end that isn’t listed counts as the other. */
export function markRange(marks: Marks, ids: readonly number[], from: number, to: number): Marks {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)]
  if (a < 0 && b < 0) return marks
  const [start, end] = [Math.min(a < 0 ? b : a, b < 0 ? a : b), Math.max(a, b)]
  return new Set([...marks, ...ids.slice(start, end + 1)])
}

/** Selects all listed rows, or deselects them if all are selected. Others stay selected. */
export function toggleAll(marks: Marks, ids: readonly number[]): Marks {
  const next = new Set(marks)
  const all = ids.every((id) => marks.has(id))
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return next
}

export function keepMarks(marks: Marks, exists: (id: number) => boolean): Marks {
  const kept = [...marks].filter(exists)
  return kept.length === marks.size ? marks : new Set(kept)
}
