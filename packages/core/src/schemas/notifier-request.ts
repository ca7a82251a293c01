import { AppError, type ProblemCode } from '../errors/app-error.ts'
import { escapeQuery, fillTemplate, type TemplateFill } from './notifier-template.ts'

/** The methods by their number on the wire (decisions.md, "Notifier request method"). */
export const requestMethods = { 1: 'GET', 2: 'POST', 3: 'PATCH', 4: 'DELETE', 5: 'PUT' } as const

/** What a body is. */
export const RequestType = { json: 1, form: 2 } as const

/** What a notifier is told to send. */
export interface RequestTemplate {
  readonly url: string
  readonly request_method: number
  readonly request_type: number
  /** JSON object of names and values, or empty. */
  readonly request_header: string
  readonly request_body: string
}

/** A request as it goes out, but for what the transport adds. */
export interface FilledRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/**
 * Builds the request of a message: to send it, and to show what a form would send. Errors: `invalid` with a problem that
 * names its field, `tooLarge`. Source: contract engines 4.3, 4.4.
 */
export function fillRequest(template: RequestTemplate, fill: TemplateFill): FilledRequest {
  const method = (requestMethods as Readonly<Record<number, string>>)[template.request_method]
  if (!method) throw wrong('request_method', 'notOption')
  const body = method === 'GET' || fill.message === '' ? null : bodyOf(template, fill)
  const type = template.request_type === RequestType.json ? 'application/json' : 'application/x-www-form-urlencoded'
  return {
    method,
    url: fillTemplate(template.url, fill, 'url'),
    headers: withOwn(body === null ? {} : { 'Content-Type': type }, headersOf(template.request_header)),
    body,
  }
}

function bodyOf({ request_type, request_body }: RequestTemplate, fill: TemplateFill): string {
  if (request_type === RequestType.json) return fillTemplate(request_body, fill, 'json')
  if (request_type !== RequestType.form) throw wrong('request_type', 'notOption')
  return Object.entries(objectOf(request_body, 'request_body'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${escapeQuery(key)}=${escapeQuery(fillTemplate(textOf(value), fill, 'none'))}`)
    .join('&')
}

/** Names and values that cannot end a line or start another header (S-43). */
function headersOf(text: string): Readonly<Record<string, string>> {
  const headers = Object.entries(objectOf(text, 'request_header')).map(
    ([name, value]) => [name, textOf(value)] as const,
  )
  const isSound = ([name, value]: readonly [string, string]) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !/[^\t\x20-\x7e\x80-\u{10ffff}]/u.test(value)
  if (!headers.every(isSound)) throw wrong('request_header', 'wrong')
  return Object.fromEntries(headers)
}

/** Own headers replace usual ones of the same name, however it is written. */
function withOwn(usual: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const named = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(usual).filter(([name]) => !named.has(name.toLowerCase()))), ...own }
}

function objectOf(text: string, field: string): Readonly<Record<string, unknown>> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Not JSON at all: refused like JSON of another shape.
  }
  throw wrong(field, 'notJson')
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))

const wrong = (field: string, code: ProblemCode) => new AppError('invalid', {}, { problems: [{ field, code }] })
