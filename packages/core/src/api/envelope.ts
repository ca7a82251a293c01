import * as z from 'zod'
import { lazy } from '../define/index.ts'
import { AppError, type ErrorCode, errorTraits, isAboutCode, problemCodes, refusalOf } from '../errors/index.ts'

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

/** An answer as every server sends it; `code`, `params` and `problems` are what ours adds. Source: contract http-api 1.1. */
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

/** Codes of statuses that mean the same whatever the body says. Anything from 500 is the server's own failure. */
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

/**
 * The whole text of a refusal for want of a right, which existing dashboards send with status 200; a file's or an agent's error only ends so. They
 * translate it, and only these words are on record (contract http-api 9.2).
 */
const notAllowed: readonly string[] = ['permission denied', '权限不够']

/** What came back for one call, before it is understood. */
export interface RawAnswer {
  status: number
  text: string
  /** The `Retry-After` header, or null. */
  retryAfter: string | null
}

/**
 * The `data` of an answer, null if it is left out. Decided from the body first and the status second: a failure may come with 200.
 * Errors: AppError with the code that fits. Source: contract http-api 1.1, 1.3, 9.1.
 */
export function readAnswer(answer: RawAnswer): unknown {
  const json = toJson(answer.text)
  const body = envelope().safeParse(json)
  if (!body.success || !isOurs(json as object)) throw withoutEnvelope(answer)
  if (body.data.success) return body.data.data ?? null
  throw failureOf(answer, body.data)
}

/** Some other program's JSON is no answer of a dashboard. */
function isOurs(json: object): boolean {
  return ['success', 'error', 'data'].some((key) => key in json)
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf({ status, retryAfter }: RawAnswer, body: z.output<ReturnType<typeof envelope>>): AppError {
  const { error, code, params: named, problems } = body
  // The words of the wire are for clients that know no codes; a problem says the same of its field, unless it only says that something is wrong.
  const isTold = problems.length > 0 && problems.every((one) => one.code !== 'wrong')
  const text = isAboutCode(body) || isTold ? {} : wordsOf(error)
  if (/^too many concurrent streams for this (user|server)$/.test(error)) return new AppError('tooManyStreams')
  const refusal = refusalOf(error)
  if (refusal) return new AppError(refusal)
  if (code in errorTraits) return new AppError(code as ErrorCode, { ...text, ...named }, { problems })
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

/** What a person may read of an error text: without the fixed words that only programs look for (contract http-api 9.1). */
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

/** A page instead of an envelope: the firewall's, the console's own (the route does not exist), or a proxy's. Raw HTML is never kept. */
function withoutEnvelope({ status, text, retryAfter }: RawAnswer): AppError {
  const isPage = /^\s*<(!doctype|html)/i.test(text)
  if (status === 403) return new AppError('firewall')
  if (status === 404 || (status < 300 && isPage)) return new AppError('noRoute')
  const code = statusCodes[status] ?? (status >= 500 ? 'internal' : 'badAnswer')
  // A page is of another program, or of a proxy whose dashboard is away.
  return new AppError(code, {
    status,
    ...(code === 'unreachable' && { why: 'proxy' }),
    ...(isPage && code === 'internal' && { hint: 'badAnswer' }),
    ...waitOf(retryAfter),
  })
}
