/** Ids of marked rows. Marks live apart from rows: they survive sorting, filtering and loading. */
export type Marks = ReadonlySet<number>

/** Marks a row, or takes its mark. */
export function toggleMark(marks: Marks, id: number): Marks {
  const next = new Set(marks)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Marks everything from one row to another as the list stands, both included. An end that is not listed counts as the other. */
export function markRange(marks: Marks, ids: readonly number[], from: number, to: number): Marks {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)]
  if (a < 0 && b < 0) return marks
  const [start, end] = [Math.min(a < 0 ? b : a, b < 0 ? a : b), Math.max(a, b)]
  return new Set([...marks, ...ids.slice(start, end + 1)])
}

/** Marks all listed rows; when all of them are marked already, takes those marks. Marks outside the list stay. */
export function toggleAll(marks: Marks, ids: readonly number[]): Marks {
  const next = new Set(marks)
  const all = ids.every((id) => marks.has(id))
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return next
}

/** The marks of rows that still exist; the same set when none went. */
export function keepMarks(marks: Marks, exists: (id: number) => boolean): Marks {
  const kept = [...marks].filter(exists)
  return kept.length === marks.size ? marks : new Set(kept)
}
