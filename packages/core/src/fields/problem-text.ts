import { fieldKey } from '../define/index.ts'
import type { Problem } from '../errors/index.ts'
import { problemSentence, type Translator } from '../i18n/index.ts'

/** "Name: Fill this in". A problem of the whole record has no field. */
export function problemText(translator: Translator, resource: { name: string }, problem: Problem): string {
  const sentence = problemSentence(translator, problem)
  const key = fieldKey(resource, problem.field)
  if (problem.field === '') return sentence
  const field = translator.has(key) ? translator.say(key) : problem.field
  return translator.t('errors.problemOf', { field, problem: sentence })
}
