import type { TypedLine } from '../../screen/state/typed-line.ts'

/** Characters that a shell reads otherwise than as themselves. */
const special = /[^\w@%+=:,./~^-]/g

/** A word as bash takes it at the cursor: with backslashes, or as it is within the quote that is open. */
export function escapeFor(quote: TypedLine['quote'], word: string): string {
  if (quote === "'") return word.replaceAll("'", `'\\''`)
  if (quote === '"') return word.replace(/["\\$`]/g, '\\$&')
  return word.replace(special, '\\$&')
}

/** What bash replaces is only what follows the last colon or equals sign, unless a quote is open. */
export function behindBreak(typed: TypedLine, word: string): string {
  if (typed.quote !== '') return word
  const kept = /^.*[:=]/s.exec(typed.current)?.[0].length ?? 0
  return word.slice(kept)
}
