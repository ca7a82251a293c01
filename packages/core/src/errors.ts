import { parseRefusal } from '@qd/protocol/refusals'

/** HTTP status, the CLI’s exit code, and whether retrying an idempotent call may help. */
export interface ErrorTraits {
  http: number
  exit: number
  retry: boolean
}

/** The only place for HTTP statuses and exit codes (behavior C-10). */
export const errorTraits = {
  usage: { http: 400, exit: 2, retry: false },
  ambiguous: { http: 400, exit: 2, retry: false },
  invalid: { http: 200, exit: 8, retry: false },
  notFound: { http: 200, exit: 3, retry: false },
  noRoute: { http: 404, exit: 1, retry: false },
  unauthorized: { http: 200, exit: 4, retry: false },
  wrongPassword: { http: 200, exit: 4, retry: false },
  codeRequired: { http: 200, exit: 4, retry: false },
  wrongCode: { http: 200, exit: 4, retry: false },
  codeUsed: { http: 200, exit: 4, retry: false },
  codeClock: { http: 200, exit: 4, retry: false },
  oauthState: { http: 200, exit: 4, retry: false },
  oauthRefused: { http: 200, exit: 4, retry: false },
  oauthProvider: { http: 200, exit: 4, retry: false },
  oauthNotBound: { http: 200, exit: 4, retry: false },
  oauthBoundElsewhere: { http: 200, exit: 1, retry: false },
  stepUpRequired: { http: 403, exit: 4, retry: false },
  forbidden: { http: 200, exit: 5, retry: false },
  badToken: { http: 401, exit: 4, retry: false },
  tokenForbidden: { http: 403, exit: 5, retry: false },
  csrf: { http: 403, exit: 5, retry: false },
  firewall: { http: 403, exit: 5, retry: false },
  blocked: { http: 200, exit: 1, retry: false },
  conflict: { http: 412, exit: 1, retry: false },
  quota: { http: 200, exit: 8, retry: false },
  tooLarge: { http: 413, exit: 8, retry: false },
  tooMany: { http: 429, exit: 1, retry: true },
  tooManyStreams: { http: 200, exit: 1, retry: false },
  agentOffline: { http: 200, exit: 1, retry: false },
  watchOnly: { http: 200, exit: 5, retry: false },
  commandsDisabled: { http: 200, exit: 5, retry: false },
  moveRefused: { http: 200, exit: 1, retry: false },
  installHostRequired: { http: 200, exit: 1, retry: false },
  agentSecretRequired: { http: 200, exit: 1, retry: false },
  nezhaReleaseRequired: { http: 200, exit: 1, retry: false },
  nezhaReleaseUnusable: { http: 200, exit: 1, retry: false },
  unsupported: { http: 200, exit: 5, retry: false },
  addressRefused: { http: 200, exit: 1, retry: false },
  notDelivered: { http: 200, exit: 1, retry: false },
  failed: { http: 200, exit: 1, retry: false },
  badAnswer: { http: 502, exit: 1, retry: false },
  partial: { http: 200, exit: 6, retry: false },
  timeout: { http: 504, exit: 7, retry: true },
  unreachable: { http: 503, exit: 9, retry: true },
  databaseAway: { http: 503, exit: 10, retry: true },
  cancelled: { http: 499, exit: 130, retry: false },
  fileIncomplete: { http: 200, exit: 1, retry: false },
  fileStalled: { http: 504, exit: 7, retry: false },
  fileShrank: { http: 200, exit: 1, retry: false },
  fileExists: { http: 200, exit: 1, retry: false },
  fileChanged: { http: 200, exit: 1, retry: false },
  streamEnded: { http: 200, exit: 9, retry: false },
  diskFull: { http: 507, exit: 1, retry: false },
  browserFull: { http: 507, exit: 1, retry: false },
  outputFailed: { http: 500, exit: 1, retry: false },
  internal: { http: 500, exit: 1, retry: false },
} as const satisfies Record<string, ErrorTraits>

/** Texts at `errors.<code>`. */
export type ErrorCode = keyof typeof errorTraits

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTraits, code)

/** `text` is a server’s own text, displayed as it is. */
export type ErrorParams = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** A problem with a value; texts at `errors.problem.<code>`. */
export interface Problem {
  field: string
  code: ProblemCode
  params?: ErrorParams
  /** Path within the value, counted from 1: `2.max` is `max` of its second part. */
  at?: string | undefined
}

export const problemCodes = [
  'required',
  'tooShort',
  'tooLong',
  'tooManyBytes',
  'tooManyItems',
  'tooSmall',
  'tooBig',
  'notInteger',
  'notNumber',
  'notText',
  'notFlag',
  'notList',
  'listItem',
  'notOption',
  'notUrl',
  'notHttps',
  'looksAlike',
  'notJson',
  'notDate',
  'notId',
  'unknownKey',
  'unknownReference',
  'schedule',
  'scheduledOnAlert',
  'selection',
  'selectionMoves',
  'rule',
  'ruleType',
  'ruleCover',
  'ruleDuration',
  'ruleLong',
  'ruleInterval',
  'ruleStart',
  'ruleFuture',
  'ruleNeeded',
  'notHost',
  'notHostPort',
  'notDomain',
  'reserved',
  'adminsOnly',
  'notBelow',
  'taken',
  'notHeaders',
  'notHeaderName',
  'notAddress',
  'endsFirst',
  'mismatch',
  'lockOut',
  'nothingChanged',
  'noBatches',
  'wrong',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** Codes whose texts the specification quotes, so they are never changed, not even in case (decisions.md, "Order of authority"). */
export const quotedCodes: ReadonlySet<ErrorCode | ProblemCode> = new Set(['internal', 'installHostRequired', 'notJson'])

export interface FailedCall {
  /** Origin and perhaps a path. */
  server: string
  /** Such as `GET /api/v1/cron`. */
  request: string
  /** Null without a response. */
  status: number | null
  /** Whether a change may have been made nevertheless. */
  mayBeDone: boolean
}

/** The only class thrown on purpose: a code with parameters, never a sentence. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly params: ErrorParams
  readonly problems: readonly Problem[]
  /** The failed call; null for local failures. Set by the transport. */
  call: FailedCall | null = null
  constructor(
    code: ErrorCode,
    params: ErrorParams = {},
    more: { cause?: unknown; problems?: readonly Problem[] } = {},
  ) {
    super(code, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.params = params
    this.problems = more.problems ?? []
  }
  /** Whether a change may have been made nevertheless, so that nobody may say that nothing changed (behavior D3). */
  get mayBeDone(): boolean {
    return this.call?.mayBeDone ?? false
  }
}

/** A command line, or what it names, that can’t be used. */
export function usageError(reason: string, params: ErrorParams = {}): AppError {
  return new AppError('usage', { reason, ...params })
}

/** Whether the password was right, but the two-factor code is missing or was refused. */
export function isAboutCode({ code }: { readonly code: string }): boolean {
  return code === 'codeRequired' || code === 'wrongCode' || code === 'codeUsed' || code === 'codeClock'
}

/** Wraps anything but an AppError as `internal`. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') return new AppError('cancelled', {}, { cause: thrown })
  return new AppError('internal', {}, { cause: thrown })
}

/** The error for an agent’s refusal of commands, or of everything but probes; undefined for any other text. */
export function refusalOf(text: string): 'commandsDisabled' | 'watchOnly' | undefined {
  const codes = [text, text.slice(text.indexOf(': ') + 1)].map(parseRefusal)
  return (['commandsDisabled', 'watchOnly'] as const).find((code) => codes.includes(code))
}

export function agentError(text: string, params: ErrorParams = {}): AppError {
  const code = refusalOf(text)
  return code ? new AppError(code, params) : new AppError('failed', { ...params, text })
}

/** Undefined if the text isn’t JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is an object, and no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Asserts that a value is present. */
export function defined<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a value is missing that must be there')
  return value
}

export const firstItem = <T>(items: ArrayLike<T>): T => defined(items[0])

export const lastItem = <T>(items: ArrayLike<T>): T => defined(items[items.length - 1])
