/** A noun as it stands inside a sentence; abbreviations and German keep their capitals. */
export function nounOf(noun: string, language: string): string {
  const isWord = /^\p{Lu}\p{Ll}/u.test(noun) && !language.startsWith('de')
  return isWord ? noun.toLocaleLowerCase(language) : noun
}

/** The same for one of its kind: "a server", "an alert rule". Other languages than English need no article where we say one. */
export function oneOf(noun: string, language: string): string {
  const plain = nounOf(noun, language)
  if (!language.startsWith('en')) return plain
  return `${/^(?!us)[aeiou]/i.test(plain) ? 'an' : 'a'} ${plain}`
}
