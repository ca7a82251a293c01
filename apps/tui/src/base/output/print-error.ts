import { flagName } from '@qd/core/actions'
import {
  AppError,
  type ErrorCode,
  type ErrorParams,
  errorTraits,
  type FailedCall,
  type Problem,
  quotedCodes,
} from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText, nounOf, problemSentence, type Translator } from '@qd/core/i18n'
import type { Style } from './style.ts'

export type ErrorPlace = string | null

export type TypedFlags = ReadonlyMap<string, string>

interface ErrorLines {
  message: string
  causes: string[]
  hint: string | null
}

const refusers: readonly ErrorCode[] = [
  ...(['unreachable', 'timeout', 'unauthorized', 'badToken', 'wrongPassword', 'badAnswer', 'noRoute'] as const),
  ...(['forbidden', 'tokenForbidden', 'firewall', 'tooMany', 'databaseAway'] as const),
]

/**
 * `error: …`, lines of cause and place, one `try:` (looks/tui.md), then what continues without this program (`left`).
 * Fields are named by the flags as typed.
 */
export function formatError(
  error: AppError,
  {
    translator,
    style,
    place,
    left = [],
    typed = new Map(),
  }: { translator: Translator; style: Style; place: ErrorPlace; left?: readonly string[]; typed?: TypedFlags },
): string {
  const { message, causes, hint } = linesOf(error, translator, typed)
  const lines = [...causes, ...(refusers.includes(error.code) && place !== null ? [place] : [])].map(
    (line) => `  ${plainText(line)}`,
  )
  const attempt =
    hint === null ? [] : [`  ${style.paint('muted', translator.t('ui.cli.error.try'))} ${plainText(hint)}`]
  return [
    `${style.paint('bad', translator.t('ui.cli.error.error'))} ${plainText(message)}`,
    ...lines,
    ...attempt,
    ...left,
  ]
    .map((line) => `${line}\n`)
    .join('')
}

export function errorJson(error: AppError, english: Translator, left: readonly string[] = []): string {
  const { message: title, causes, hint } = linesOf(error, english)
  const { text, why } = error.params
  const reason = error.code === 'blocked' ? text : why !== undefined && causes[0] && lower(causes[0], english)
  const message = typeof reason === 'string' && reason !== '' ? `${title}: ${reason}` : title
  const { status, request } = callOf(error) ?? { status: null, request: null }
  const { lines } = error.params
  const problems = error.problems.length > 0 ? { problems: error.problems } : Array.isArray(lines) ? { lines } : {}
  const next = left.length > 0 ? left.join('; ') : hint
  return `${JSON.stringify({ code: error.code, message, status, hint: next, request, ...problems })}\n`
}

export function exitCodeOf({ code }: AppError): number {
  return errorTraits[code].exit
}

function linesOf(error: AppError, translator: Translator, typed: TypedFlags = new Map()): ErrorLines {
  const { code } = error
  const params = inWords(error.params, translator)
  const attempt = typeof params.try === 'string' ? params.try : null
  if (typeof params.reason === 'string' && translator.has(`ui.cli.usage.${params.reason}`)) {
    const near = [params.near ?? []].flat().join(', ')
    const reasons = Array.isArray(params.lines) ? params.lines.map(String) : []
    const causes = near === '' ? reasons : [translator.t('ui.cli.usage.near', { near })]
    return { message: translator.say(`ui.cli.usage.${params.reason}`, params), causes, hint: attempt }
  }
  // Shared with other surfaces, so unchanged.
  if (typeof params.says === 'string')
    return { message: translator.say(params.says, params), causes: [], hint: attempt }
  const { title, details, hint: common } = errorText(translator, error)
  const isNamed = typeof params.name === 'string' && params.name !== '' && title.startsWith(params.name)
  const isQuoted = quotedCodes.has(code) && title === translator.say(`errors.${code}`)
  const isLiteral = isQuoted || isNamed || (code === 'failed' && params.text)
  const message = isLiteral ? title : lower(title, translator)
  const own = `ui.cli.try.${code}`
  const hint =
    attempt ?? (translator.has(own) ? translator.say(own) : common === undefined ? null : lower(common, translator))
  const problems = error.problems.map(
    (problem) => `${typed.get(problem.field) ?? flagName(problem.field)}: ${problemText(problem, translator)}`,
  )
  return { message, causes: [...new Set([...details, ...causeOf(error), ...problems])], hint }
}

export function problemText({ at, ...problem }: Problem, translator: Translator): string {
  const sentence = problemSentence(translator, problem)
  const text = quotedCodes.has(problem.code) ? sentence : lower(sentence, translator)
  return at === undefined ? text : translator.t('errors.problemAt', { at, problem: text })
}

export function callOf(error: AppError): FailedCall | null {
  return error.call ?? (error.cause instanceof AppError ? callOf(error.cause) : null)
}

function inWords(params: ErrorParams, { say, has }: Translator): ErrorParams {
  const { problem, hint } = params
  return {
    ...params,
    ...(typeof problem === 'string' && { text: say(`errors.selection.${problem}`, params) }),
    ...(typeof hint === 'string' && has(`ui.cli.try.${hint}`) && { try: say(`ui.cli.try.${hint}`, params) }),
  }
}

function causeOf({ code, cause, params }: AppError): string[] {
  if ((code !== 'unreachable' && code !== 'internal') || params.why || !(cause instanceof Error)) return []
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause]
  return first instanceof Error && first.message !== '' ? [first.message] : []
}

/** English continues in lower case after `error:`; other languages may start with a noun. */
function lower(sentence: string, { language }: Translator): string {
  return language === 'en-US' ? nounOf(sentence.replace(/^A /, 'a '), language) : sentence
}
