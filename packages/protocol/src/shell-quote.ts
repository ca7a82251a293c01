/** A word as a POSIX shell reads it back. */
export function shellQuote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return /["$`\\!\n]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`
}
