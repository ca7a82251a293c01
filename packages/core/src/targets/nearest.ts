/** Edit distance: letters added, dropped, changed or swapped with their neighbor. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (const [index, letter] of [...a].entries()) {
    const row = [index + 1]
    const before = rows[index] ?? []
    for (let at = 1; at <= b.length; at++) {
      const isSwapped = index > 0 && at > 1 && letter === b[at - 2] && a[index - 1] === b[at - 1]
      row.push(
        Math.min(
          (before[at] ?? 0) + 1,
          (row[at - 1] ?? 0) + 1,
          (before[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1),
          isSwapped ? (rows[index - 1]?.[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}

/** `web-10` with another number is another server, not a typo. */
const numbersOf = (word: string) => (word.match(/\d+/g) ?? []).map(Number).join(' ')

/** At most three words that a typo may have meant, nearest first: those that begin with it, or are one typo away (two in a long word). `logs` is not `login`. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const typed = word.toLowerCase().replace(/^-+/, '').slice(0, 40)
  if (typed.length < 3) return []
  const allowed = typed.length < 7 ? 1 : 2
  return candidates
    .map((candidate) => ({ candidate, plain: candidate.toLowerCase().replace(/^-+/, '') }))
    .map(({ candidate, plain }) => ({ candidate, plain, off: distance(typed, plain) }))
    .filter(({ plain, off }) => plain.startsWith(typed) || (off <= allowed && numbersOf(plain) === numbersOf(typed)))
    .sort((a, b) => a.off - b.off)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
