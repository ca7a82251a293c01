import { AppError, defined, isObject, lastItem, type Problem, type ProblemCode, parseJson } from '../errors.ts'
import { jsonFaultAt } from './json-place.ts'
import { escapeQuery, fillTemplate, standIn, type TemplateEscape, type TemplateFill } from './notifier-template.ts'

/** Nezha supports the first two (decisions.md, "Notifier request method"). */
export const RequestMethod = { GET: 1, POST: 2, PATCH: 3, DELETE: 4, PUT: 5 } as const

export const RequestType = { json: 1, form: 2 } as const

export interface RequestTemplate {
  readonly url: string
  readonly request_method: number
  readonly request_type: number
  /** A JSON object, or empty. */
  readonly request_header: string
  readonly request_body: string
}

export interface FilledRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface RequestFilling {
  fill(template: string, safe: TemplateEscape): string
  hasBody(method: string): boolean
}

/** Builds the request of a message. Errors: `invalid` with the field, `tooLarge`. Source: contract engines 4.3, 4.4. */
export function fillRequest(template: RequestTemplate, fill: TemplateFill): FilledRequest {
  return buildRequest(template, {
    fill: (text, safe) => fillTemplate(text, fill, safe),
    hasBody: (method) => method !== 'GET' && fill.message !== '',
  })
}

/** Errors: those of `fillRequest`. */
export function buildRequest(template: RequestTemplate, filling: RequestFilling): FilledRequest {
  const method = Object.entries(RequestMethod).find(([, value]) => value === template.request_method)?.[0]
  if (!method) throw wrong('request_method', 'notOption')
  const body = filling.hasBody(method) ? bodyOf(template, filling) : null
  const own = Object.entries(headersOf(template.request_header)).map(([name, value]) => [
    name,
    filling.fill(value, 'none').replace(notInHeader, ' '),
  ])
  const query = template.url.search(/[?]|$/)
  return {
    method,
    url: filling.fill(template.url.slice(0, query), 'path') + filling.fill(template.url.slice(query), 'url'),
    headers: withOwn(body === null ? {} : { 'Content-Type': typeOf(template) }, Object.fromEntries(own)),
    body,
  }
}

function typeOf({ request_type, request_body }: RequestTemplate): string {
  if (request_type === RequestType.form) return 'application/x-www-form-urlencoded'
  return isPlainText(request_body) ? 'text/plain; charset=utf-8' : 'application/json'
}

/** Whether a body isn’t meant as JSON, such as `#NEZHA#` for a receiver that takes plain text. */
function isPlainText(body: string): boolean {
  return body !== '' && !/^\s*(\{|\[\s*[[{"\]])/.test(body) && jsonFaultAt(body) !== null
}

/** Why the filled template would be invalid for its type, with line and column. Empty values, which are stored elsewhere, have no problem. */
export function templateProblems(
  { request_method, request_type, request_body: body }: Omit<RequestTemplate, 'url' | 'request_header'>,
  units: boolean,
): Problem[] {
  if (request_method === RequestMethod.GET || body.trim() === '') return []
  const isForm = request_type === RequestType.form
  if (!isForm && isPlainText(body)) return []
  const place = jsonFaultAt(isForm ? body : standIn(body, units))
  if (place === null && (!isForm || objectOf(body) !== null)) return []
  const before = body.slice(0, place ?? 0).split('\n')
  return [{ field: 'request_body', code: 'notJson', at: `${before.length}:${lastItem(before).length + 1}` }]
}

function bodyOf({ request_type, request_body }: RequestTemplate, { fill }: RequestFilling): string {
  if (request_type === RequestType.json) return fill(request_body, isPlainText(request_body) ? 'none' : 'json')
  if (request_type !== RequestType.form) throw wrong('request_type', 'notOption')
  const pairs = objectOf(request_body)
  if (pairs === null) throw wrong('request_body', 'notJson')
  return Object.entries(pairs)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${escapeQuery(key)}=${escapeQuery(fill(textOf(value), 'none'))}`)
    .join('&')
}

/** Characters that end a header’s line or aren’t allowed in it. */
const notInHeader = /[^\t\x20-\x7e\x80-\u{10ffff}]+/gu

/** Whether a text is empty or a JSON object of headers that can’t inject others (S-43). */
export function isHeaders(text: string): boolean {
  const headers = objectOf(text)
  return headers !== null && Object.entries(headers).every(([name, value]) => isHeader(name, value))
}

function isHeader(name: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && String(value).search(notInHeader) < 0
}

function headersOf(text: string): Readonly<Record<string, string>> {
  if (!isHeaders(text)) throw wrong('request_header', 'notHeaders')
  return Object.fromEntries(Object.entries(defined(objectOf(text))).map(([name, value]) => [name, textOf(value)]))
}

/** Case-insensitively replaces default headers with custom ones. */
function withOwn(usual: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const named = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...Object.fromEntries(Object.entries(usual).filter(([name]) => !named.has(name.toLowerCase()))), ...own }
}

/** Empty for an empty text, null if it isn’t a JSON object. */
function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  const value = text.trim() === '' ? {} : parseJson(text)
  return isObject(value) ? value : null
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))

const wrong = (field: string, code: ProblemCode) => new AppError('invalid', {}, { problems: [{ field, code }] })

/** Providers that respond 200 with a `code`: `taken` means success. `sends`: a request body that only they accept. */
const coded: readonly { hosts: RegExp; taken: number; sends?: RegExp }[] = [
  { hosts: /(^|\.)(feishu\.cn|larksuite\.com)$/, taken: 0, sends: /"msg_type"\s*:/ },
  { hosts: /(^|\.)(ftqq\.com|ft07\.com)$/, taken: 0 },
  { hosts: /(^|\.)(day\.app|pushplus\.plus)$/, taken: 200 },
  { hosts: /(^|\.)zjiecheng\.com$/, taken: 1000 },
]

/** Bytes of a response that contain the provider’s result. */
export const answerBytes = 4096

/** The failure in a response with a success status, such as `errcode 310000`; null if there is none. */
export function failureIn({ url, body: sent }: FilledRequest, answer: string): string | null {
  const said = Object(parseJson(answer)) as Readonly<Record<string, unknown>>
  if (said.ok === false) return 'ok false'
  if (isNumber(said.errcode) && Number(said.errcode) !== 0) return `errcode ${said.errcode}`
  const { hostname } = new URL(url)
  const provider = coded.find(({ hosts, sends }) => hosts.test(hostname) || sends?.test(sent ?? ''))
  return provider && isNumber(said.code) && Number(said.code) !== provider.taken ? `code ${said.code}` : null
}

const isNumber = (value: unknown): value is number | string => /^-?\d{1,9}$/.test(String(value))
