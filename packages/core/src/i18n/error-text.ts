import type { AppError, Problem } from '../errors/index.ts'
import type { TextParams, Translator } from './translator.ts'

/** A failure as a person reads it: what went wrong, the particulars, and what to do. */
export interface ErrorText {
  title: string
  details: string[]
  hint?: string
}

/**
 * The sentence of a failure. The most telling text is taken: `errors.with.<param>.<code>` for a parameter it has, else `errors.<code>`.
 * The condition that an action was blocked by, the reason that is known (`errors.why.<code>.<reason>`), or a server's own words (`text`) stand
 * below it where the sentence does not say them.
 */
export function errorText(translator: Translator, { code, params: given, mayBeDone }: AppError): ErrorText {
  const params = sentenceParams(given)
  const key = variant(translator, params, (name) => `errors.with.${name}.${code}`) ?? `errors.${code}`
  const title = translator.say(key, params)
  const text = conditionText(translator, code, params) ?? whyText(translator, code, params) ?? params.text
  const isTold = typeof given.hint === 'string'
  const known = (mayBeDone ? ['mayBeDone'] : isTold ? [given.hint] : [given.why, code]).map(
    (name) => `errors.hint.${name}`,
  )
  const hint = known.find((one) => translator.has(one))
  return {
    title,
    details: typeof text === 'string' && text !== '' && !title.includes(text) ? [text] : [],
    ...(hint === undefined ? {} : { hint: translator.say(hint, params) }),
  }
}

/** The sentence of the condition that an action was refused by, where its resource is known. */
function conditionText(translator: Translator, code: string, { resource, reason }: TextParams): string | undefined {
  const key = `resources.${resource}.reasons.${reason}`
  return code === 'blocked' && resource && reason && translator.has(key) ? translator.say(key) : undefined
}

/** Why it failed, where that is known. */
function whyText(translator: Translator, code: string, params: TextParams): string | undefined {
  const key = `errors.why.${code}.${params.why}`
  return translator.has(key) ? translator.say(key, params) : undefined
}

/** Ids are names, not quantities, and what is empty says nothing. */
function sentenceParams(params: TextParams): TextParams {
  const told = Object.entries(params).filter(([, value]) => value !== '')
  return Object.fromEntries(told.map(([name, value]) => [name, name === 'id' ? String(value) : value]))
}

/** The first key that exists for one of the parameters. */
function variant(translator: Translator, params: TextParams, keyFor: (name: string) => string): string | undefined {
  return Object.keys(params)
    .map(keyFor)
    .find((key) => translator.has(key))
}

/** The sentence of what is wrong with one value, without the field's name. A refused schedule has its own sentences (`errors.schedule.<reason>`). */
export function problemSentence(translator: Translator, { at, ...problem }: Problem): string {
  if (at !== undefined) return translator.t('errors.problemAt', { at, problem: problemSentence(translator, problem) })
  const { code, params = {} } = problem
  const { reason, minimum, maximum } = params
  if (code === 'schedule' && typeof reason === 'string') {
    // The five fields of a crontab only lack the seconds.
    const isCrontab = reason === 'fieldCount' && params.found === 5
    return translator.say(isCrontab ? 'errors.schedule.fiveFields' : `errors.schedule.${reason}`, params)
  }
  const limit = minimum ?? maximum
  const key = variant(translator, params, (name) => `errors.problemWith.${name}.${code}`) ?? `errors.problem.${code}`
  return translator.say(key, typeof limit === 'number' ? { ...params, count: limit } : params)
}
