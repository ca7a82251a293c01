/** A command line up to the cursor: the finished words, and the one being typed without its quotes. */
export interface TypedLine {
  words: readonly string[]
  current: string
  /** The quote that is open at the cursor, or nothing. */
  quote: '"' | "'" | ''
}

/** Splits a line as a POSIX shell does. */
export function splitLine(line: string): TypedLine {
  const words: string[] = []
  let current = ''
  let quote: TypedLine['quote'] = ''
  let isOpen = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (quote === '' && /\s/.test(character)) {
      if (isOpen) words.push(current)
      current = ''
      isOpen = false
      continue
    }
    isOpen = true
    if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === '\\' && quote !== "'" && at + 1 < line.length) current += line[++at]
    else current += character
  }
  return { words, current, quote }
}

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
