export { nounOf } from '@qd/core/i18n'

/** Capitalizes the first letter, except of names such as macOS. */
export function capital(text: string, language: string): string {
  const [word = ''] = text.split(' ')
  if (word !== word.toLocaleLowerCase(language)) return text
  const [first = '', ...rest] = text
  return first.toLocaleUpperCase(language) + rest.join('')
}
