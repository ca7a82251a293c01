/** How many letters must be added, dropped or changed to get from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= b.length; at++) {
      next.push(Math.min(row[at]! + 1, next[at - 1]! + 1, row[at - 1]! + (letter === b[at - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}

/** The words that a mistyped one may have meant, nearest first, at most three. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const typed = word.toLowerCase().slice(0, 40)
  const allowed = typed.length < 4 ? 1 : 2
  return candidates
    .map((candidate) => ({ candidate, off: distance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, off }) => off <= allowed || (typed.length > 2 && candidate.startsWith(typed)))
    .sort((a, b) => a.off - b.off)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
