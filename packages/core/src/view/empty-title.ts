import { type Resource, textKey } from '../define/index.ts'
import { nounOf, type Translator } from '../i18n/index.ts'

/** The resource’s own text, else "No servers yet" with the noun as it is written inside a sentence. */
export function emptyTitle(translator: Translator, resource: Pick<Resource, 'name'>): string {
  const { t, say, language } = translator
  const own = `ui.empty.${resource.name}.title`
  if (translator.has(own)) return say(own)
  const [first = '', ...rest] = t('ui.empty.title', { names: nounOf(say(textKey.many(resource.name)), language) })
  // Some languages begin the sentence with the noun.
  return first.toLocaleUpperCase(language) + rest.join('')
}
