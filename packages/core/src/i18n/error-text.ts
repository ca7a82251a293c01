import type { AppError, Problem } from '../errors.ts'
import type { TextParams, Translator } from './translator.ts'

/** A failure in words: what failed, why, and what to do. */
export interface ErrorText {
  title: string
  details: string[]
  hint?: string
}

/**
 * The most specific text of a failure: `errors.with.<param>.<code>` for a parameter it has, else `errors.<code>`. Details: the blocking condition, a
 * known reason (`errors.why.<code>.<reason>`), or a server’s own text (`text`), unless the title contains it.
 */
export function errorText(translator: Translator, { code, params: given, mayBeDone }: AppError): ErrorText {
  const params = sentenceParams(given)
  const key = variant(translator, params, (name) => `errors.with.${name}.${code}`) ?? `errors.${code}`
  const title = translator.say(key, params)
  const text = conditionText(translator, code, params) ?? whyText(translator, code, params) ?? params.text
  const hasHint = typeof given.hint === 'string'
  const known = (mayBeDone ? ['mayBeDone'] : hasHint ? [given.hint] : [given.why, code]).map(
    (name) => `errors.hint.${name}`,
  )
  const hint = known.find((one) => translator.has(one))
  return {
    title,
    details: typeof text === 'string' && text !== '' && !title.includes(text) ? [text] : [],
    ...(hint === undefined ? {} : { hint: translator.say(hint, params) }),
  }
}

/** All that is said of a failure, part by part. */
export function errorLines(translator: Translator, error: AppError): string[] {
  const { title, details, hint } = errorText(translator, error)
  return [title, ...details, ...(hint === undefined ? [] : [hint])]
}

function conditionText(translator: Translator, code: string, { resource, reason }: TextParams): string | undefined {
  const key = `resources.${resource}.reasons.${reason}`
  return code === 'blocked' && resource && reason && translator.has(key) ? translator.say(key) : undefined
}

function whyText(translator: Translator, code: string, params: TextParams): string | undefined {
  const key = `errors.why.${code}.${params.why}`
  return translator.has(key) ? translator.say(key, params) : undefined
}

/** IDs aren’t formatted as numbers; empty values are left out. */
function sentenceParams(params: TextParams): TextParams {
  const named = Object.entries(params).filter(([, value]) => value !== '')
  return Object.fromEntries(named.map(([name, value]) => [name, name === 'id' ? String(value) : value]))
}

function variant(translator: Translator, params: TextParams, keyFor: (name: string) => string): string | undefined {
  return Object.keys(params)
    .map(keyFor)
    .find((key) => translator.has(key))
}

/** The text of a problem without the field’s name. An invalid schedule has its own texts (`errors.schedule.<reason>`). */
export function problemSentence(translator: Translator, { at, ...problem }: Problem): string {
  if (at !== undefined) return translator.t('errors.problemAt', { at, problem: problemSentence(translator, problem) })
  const { code, params = {} } = problem
  const { reason, minimum, maximum } = params
  if (code === 'schedule' && typeof reason === 'string') {
    // A five-field crontab only lacks the seconds.
    const isCrontab = reason === 'fieldCount' && params.found === 5
    return translator.say(isCrontab ? 'errors.schedule.fiveFields' : `errors.schedule.${reason}`, params)
  }
  const limit = minimum ?? maximum
  const key = variant(translator, params, (name) => `errors.problemWith.${name}.${code}`) ?? `errors.problem.${code}`
  return translator.say(key, typeof limit === 'number' ? { ...params, count: limit } : params)
}
