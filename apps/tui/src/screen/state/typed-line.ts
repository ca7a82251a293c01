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
