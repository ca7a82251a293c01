export { nounOf } from '@qd/core/i18n'

/** The first letter large, as labels are written; texts of options are written as in a sentence. Names such as macOS stay as they are. */
export function capital(text: string, language: string): string {
  const [word = ''] = text.split(' ')
  if (word !== word.toLocaleLowerCase(language)) return text
  const [first = '', ...rest] = text
  return first.toLocaleUpperCase(language) + rest.join('')
}
