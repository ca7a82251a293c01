/** Languages whose labels begin with a capital and whose sentences don't repeat it. German nouns keep theirs, and Latin words in Chinese and Tamil are names. */
const lowering = /^(en|es|it|ru)/

/** Returns a noun or label as it stands inside a sentence: with a small first letter, except in abbreviations and names such as `2FA`, `DNS`, and `GitHub`. */
export function nounOf(noun: string, language: string): string {
  if (!lowering.test(language)) return noun
  return noun.replace(/^\p{Lu}(?=\p{Ll}+(?!\p{L}))/u, (letter) => letter.toLocaleLowerCase(language))
}

/** The same for one of its kind: "a server", "an alert rule". Other languages than English need no article where we say one. */
export function oneOf(noun: string, language: string): string {
  const plain = nounOf(noun, language)
  if (!language.startsWith('en')) return plain
  return `${/^(?!us)[aeiou]/i.test(plain) ? 'an' : 'a'} ${plain}`
}
