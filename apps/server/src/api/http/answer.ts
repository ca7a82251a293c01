import { brotliCompressSync, constants } from 'node:zlib'
import { type AppError, errorTraits } from '@qd/core/errors'
import { apiHeaders } from '../../kernel/net/headers.ts'
import { errorText } from '../../kernel/texts.ts'
import type { HttpContext } from './request.ts'

const json = 'application/json; charset=utf-8'
const compressFrom = 1024

/** Also safe inside HTML (contract http-api 1.1). */
export function safeJson(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Without `data` for null. */
export function envelope(data: string | null): string {
  return data === null ? '{"success":true}' : `{"success":true,"data":${safeJson(data)}}`
}

export function* listPieces(items: Iterable<string>): Generator<string> {
  let before = '{"success":true,"data":['
  for (const item of items) {
    yield before + safeJson(item)
    before = ','
  }
  yield ']}'
}

/** Null if the envelope leaves `data` out. */
export function dataText(value: unknown): string | null {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return null
  if (Array.isArray(value) && value.length === 0) return null
  return JSON.stringify(value)
}

export function ok(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { headers: { 'Content-Type': json, ...headers } })
}

/** To a health check; `problem` null: all is well. */
export function healthAnswer(problem: string | null): Response {
  const body = problem === null ? { success: true } : { error: problem }
  const headers = { ...apiHeaders, 'Content-Type': json }
  return new Response(JSON.stringify(body), { status: problem === null ? 200 : 503, headers })
}

/** The contract's text, with code, parameters and problems for our clients. */
export function failure(error: AppError, { realm, more }: { realm: string; more?: string }): Response {
  const { code, problems } = error
  const { text: _text, ...params } = error.params
  const body = {
    error: more === undefined ? errorText(error) : `${errorText(error)} (${more})`,
    code,
    ...(Object.keys(params).length > 0 && { params }),
    ...(problems.length > 0 && { problems }),
  }
  const headers: Record<string, string> = { 'Content-Type': json }
  if (code === 'unauthorized' || code === 'wrongPassword') headers['WWW-Authenticate'] = `JWT realm=${plain(realm)}`
  if (code === 'tooMany') headers['Retry-After'] = String(params.seconds)
  return new Response(safeJson(JSON.stringify(body)), { status: errorTraits[code].http, headers })
}

const plain = (text: string) => text.replace(/[^\x20-\x7e]/g, '?')

/** Longer answers are streamed and not cached. In characters. */
const longestWhole = 4 * 1024 * 1024
const longestPiece = 65_536

function join(pieces: Iterator<string>, most: number): { text: string; isAll: boolean } {
  let text = ''
  while (text.length < most) {
    const { done, value } = pieces.next()
    if (done) return { text, isAll: true }
    text += value
  }
  return { text, isAll: false }
}

function streamed(begun: string, rest: Iterator<string>): Response {
  const encoder = new TextEncoder()
  let next = { text: begun, isAll: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(encoder.encode(next.text))
        if (next.isAll) controller.close()
        else next = join(rest, longestPiece)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'Content-Type': json, Vary: 'Accept-Encoding' } })
}

/** An answer that is made for one call. */
export const packed = (context: HttpContext, text: string): Promise<Response> =>
  uncached.answer('', { version: null, brotli: takesBrotli(context), make: async () => [text] })

export const takesBrotli = ({ req }: HttpContext): boolean => /\bbr\b/.test(req.header('Accept-Encoding') ?? '')

export type AnswerCache = ReturnType<typeof createAnswerCache>

export function createAnswerCache(size: number) {
  const kept = new Map<string, { version: string; text: string; packed: Buffer | null }>()
  return {
    async answer(
      key: string,
      { version, brotli, make }: { version: string | null; brotli: boolean; make(): Promise<Iterable<string>> },
    ): Promise<Response> {
      let entry = kept.get(key)
      if (!entry || entry.version !== version) {
        const pieces = (await make())[Symbol.iterator]()
        const { text, isAll } = join(pieces, longestWhole)
        if (!isAll) return streamed(text, pieces)
        entry = { version: version ?? '', text, packed: null }
      }
      if (version !== null) {
        kept.delete(key)
        kept.set(key, entry)
        if (kept.size > size) kept.delete(kept.keys().next().value as string)
      }
      if (!brotli || entry.text.length < compressFrom) return ok(entry.text, { Vary: 'Accept-Encoding' })
      entry.packed ??= brotliCompressSync(entry.text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
      return new Response(entry.packed as Uint8Array<ArrayBuffer>, {
        headers: { 'Content-Type': json, 'Content-Encoding': 'br', Vary: 'Accept-Encoding' },
      })
    },
  }
}

const uncached = createAnswerCache(0)
