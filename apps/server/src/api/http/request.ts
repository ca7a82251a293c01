import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Context } from 'hono'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { parseJson } from './json.ts'

/** `body`: of a call that this process makes on behalf of the sender of `incoming`. */
export interface HttpEnv {
  Bindings: { incoming: IncomingMessage; outgoing: ServerResponse; body?: string }
  Variables: { caller: Caller; requestId: string }
}

const maxBody = 1024 * 1024
/** For guests: more than a username and password need. */
const maxGuestBody = 16 * 1024

const bodyMs = 30_000

export type HttpContext = Context<HttpEnv>

/** Reads the JSON body. Other declared types are refused, because cross-site forms can only send those (S-18). `limit`: bytes for users. Errors: `invalid`, `tooLarge`. */
export async function readBody(context: HttpContext, limit = maxBody): Promise<unknown> {
  const type = context.req.header('Content-Type')
  if (type !== undefined && !isJson(type)) throw new AppError('invalid', { text: texts.notJson })
  const most = context.get('caller').viewer.id === null ? maxGuestBody : limit
  const { incoming, body } = context.env
  if (body !== undefined && Buffer.byteLength(body) > most) throw new AppError('tooLarge')
  return parseJson(body ?? (await readText(incoming, most)))
}

/** An oversized body is discarded unread (S-47). Errors: `tooLarge`, `cancelled`. */
export function readText(incoming: Readable & Pick<IncomingMessage, 'headers'>, most: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const refuse = () => {
      incoming.removeAllListeners('data').resume()
      reject(new AppError('tooLarge'))
    }
    if (Number(incoming.headers['content-length']) > most) return refuse()
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) refuse()
      else chunks.push(chunk)
    })
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    const timer = setTimeout(() => incoming.destroy(), bodyMs)
    incoming.on('close', () => {
      clearTimeout(timer)
      reject(new AppError('cancelled'))
    })
  })
}

export function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(;|$)/i.test(type)
}

export function readId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(id)) throw new AppError('invalid', { text: `invalid id "${text.slice(0, 40)}"` })
  return id
}

/** A whole number of the query, 0 or more. Errors: `invalid`. */
export function readNumber(context: HttpContext, name: string, otherwise: number): number {
  const text = context.req.query(name) ?? ''
  const value = text === '' ? otherwise : Number(text)
  // Maximum of JavaScript dates.
  if (!Number.isInteger(value) || value < 0 || value > 8.64e15)
    throw new AppError('invalid', { text: `invalid ${name}` })
  return value
}

const hour = 3_600_000

/** Ranges and steps of history queries, in ms (contract engines 13). */
const periods: Readonly<Record<string, { rangeMs: number; stepMs: number }>> = {
  '1d': { rangeMs: 24 * hour, stepMs: 30_000 },
  '7d': { rangeMs: 7 * 24 * hour, stepMs: hour / 2 },
  '30d': { rangeMs: 30 * 24 * hour, stepMs: 2 * hour },
}

/** The range of `?period=`, ending now. Guests get only the last day. Errors: `invalid`, `forbidden`. */
export function readPeriod(context: HttpContext, viewer: Viewer, now: number) {
  const name = context.req.query('period') || '1d'
  const period = Object.hasOwn(periods, name) ? periods[name] : undefined
  if (!period) throw new AppError('invalid', { text: `invalid period: ${name.slice(0, 40)}, expected 1d, 7d, or 30d` })
  if (viewer.id === null && name !== '1d') throw new AppError('forbidden', { text: texts.guestPeriod })
  return { name, from: now - period.rangeMs, to: now, stepMs: period.stepMs }
}
