/** Quotes a word for a POSIX shell. */
export function shellQuote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return /["$`\\!\n]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`
}
