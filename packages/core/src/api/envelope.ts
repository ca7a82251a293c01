import * as z from 'zod'
import { lazy } from '../define/index.ts'
import { AppError, type ErrorCode, isAboutCode, isErrorCode, parseJson, problemCodes, refusalOf } from '../errors.ts'

const value = lazy(() => z.union([z.string(), z.number()]))
const params = lazy(() => z.record(z.string(), z.union([value(), z.array(value())])).catch({}))
const problem = lazy(() =>
  z.object({
    field: z.string(),
    code: z.enum(problemCodes),
    params: params(),
    at: z.string().optional(),
  }),
)

/** Every server’s response; `code`, `params` and `problems` only come from ours. Source: contract http-api 1.1. */
const envelope = lazy(() =>
  z.object({
    success: z.boolean().catch(false),
    data: z.unknown().optional(),
    error: z.string().catch(''),
    code: z.string().catch(''),
    params: params(),
    problems: z.array(problem()).catch([]),
  }),
)

/** Codes for statuses whose meaning doesn’t depend on the body. */
const statusCodes: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  405: 'noRoute',
  412: 'conflict',
  413: 'tooLarge',
  429: 'tooMany',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
}

/** Nezha’s complete texts for a missing permission, sent with status 200. It translates them; only these are on record (contract http-api 9.2). */
const notAllowed: readonly string[] = ['permission denied', '权限不够']

/** Our server’s codes whose translation says all that its English text says. */
const saidByCode: readonly string[] = [
  'databaseAway',
  'installHostRequired',
  'agentSecretRequired',
  'nezhaReleaseRequired',
]

export interface RawAnswer {
  status: number
  text: string
  retryAfter: string | null
}

/** Returns `data`, or null if it is missing. Checks the body before the status, because failures may have status 200. Source: contract http-api 1.1, 1.3, 9.1. */
export function readAnswer(answer: RawAnswer): unknown {
  const json = parseJson(answer.text)
  const body = envelope().safeParse(json)
  if (!body.success || !isOurs(json as object)) throw withoutEnvelope(answer)
  if (body.data.success) return body.data.data ?? null
  throw failureOf(answer, body.data)
}

/** Another program’s JSON is no response of a dashboard. */
function isOurs(json: object): boolean {
  return ['success', 'error', 'data'].some((key) => key in json)
}

function failureOf({ status, retryAfter }: RawAnswer, body: z.output<ReturnType<typeof envelope>>): AppError {
  const { error, code, params: named, problems } = body
  // The text is for clients that don’t know codes; problems say the same about their fields, unless they only say that something is wrong.
  const hasReason = problems.length > 0 && problems.every((one) => one.code !== 'wrong')
  const text = isAboutCode(body) || saidByCode.includes(code) || hasReason ? {} : wordsOf(error)
  if (/^too many concurrent streams for this (user|server)$/.test(error)) return new AppError('tooManyStreams')
  const refusal = refusalOf(error)
  if (refusal) return new AppError(refusal)
  if (isErrorCode(code)) return new AppError(code, { ...text, ...named }, { problems })
  if (error.startsWith('ApiErrorUnauthorized: ')) return new AppError('badToken', text)
  if (error.startsWith('ApiErrorUnauthorized')) return new AppError('unauthorized', text)
  if (status === 403 && error.includes('CSRF')) return new AppError('csrf')
  if (status === 404) return new AppError('noRoute')
  if (status === 403 && error.includes('api token'))
    return new AppError('tokenForbidden', { ...text, ...scopeOf(error) })
  if (status === 403) return new AppError('forbidden', text)
  if (notAllowed.includes(error)) return new AppError('forbidden', text)
  if (error === 'real ip header not found') return new AppError('failed', { ...text, why: 'addressHeader' })
  return new AppError(statusCodes[status] ?? (status >= 500 ? 'internal' : 'failed'), {
    ...text,
    ...waitOf(retryAfter),
  })
}

/** Removes the fixed prefixes that are for programs (contract http-api 9.1). */
function wordsOf(error: string): { text?: string } {
  const text = error.replace(/^(ApiError(Unauthorized|Forbidden)(: |$)|404 Not Found$)/, '')
  return text === '' ? {} : { text }
}

function scopeOf(error: string): { scope: string } | undefined {
  const scope = /lacks scope (\S+)$/.exec(error)?.[1]
  return scope === undefined ? undefined : { scope }
}

function waitOf(retryAfter: string | null): { seconds: number } | undefined {
  const seconds = Number(retryAfter)
  return retryAfter !== null && Number.isFinite(seconds) && seconds >= 0 ? { seconds } : undefined
}

/** A page instead of an envelope: from the firewall, the console (no such route) or a proxy. Never keeps raw HTML. */
function withoutEnvelope({ status, text, retryAfter }: RawAnswer): AppError {
  const isPage = /^\s*<(!doctype|html)/i.test(text)
  if (status === 403) return new AppError('firewall')
  if (status === 404 || (status < 300 && isPage)) return new AppError('noRoute')
  const code = statusCodes[status] ?? (status >= 500 ? 'internal' : 'badAnswer')
  // The page is from another program, or from a proxy whose dashboard is down.
  return new AppError(code, {
    status,
    ...(code === 'unreachable' && { why: 'proxy' }),
    ...(isPage && code === 'internal' && { hint: 'badAnswer' }),
    ...waitOf(retryAfter),
  })
}
