/** A noun as it stands inside a sentence; abbreviations and German keep their capitals. */
export function nounOf(noun: string, language: string): string {
  if (language.startsWith('de')) return noun
  return noun.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLocaleLowerCase(language))
}

/** The same for one of its kind: "a server", "an alert rule". Other languages than English need no article where we say one. */
export function oneOf(noun: string, language: string): string {
  const plain = nounOf(noun, language)
  if (!language.startsWith('en')) return plain
  return `${/^(?!us)[aeiou]/i.test(plain) ? 'an' : 'a'} ${plain}`
}
