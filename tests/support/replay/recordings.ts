import { readFileSync } from 'node:fs'

/** Who a step was recorded as; `pat` is a script with an API token. */
export type Caller = 'guest' | 'admin' | 'member' | 'member2' | 'pat'

/** One recorded call of a real dashboard (tests/data/fixtures). */
export interface Step {
  readonly name: string
  readonly as: Caller
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown }
  readonly response: { readonly status: number; readonly body?: unknown; readonly bodyText?: string }
}

/** One recorded frame of a websocket; `in` is from the dashboard. */
export interface Frame {
  readonly dir: 'in' | 'out'
  readonly opcode: 'text' | 'binary' | 'ping' | 'close'
  readonly text?: string
  readonly hex?: string
  readonly code?: number
}

/** One recorded websocket. */
export interface Session {
  readonly name: string
  readonly as: Caller
  readonly url: string
  readonly frames: readonly Frame[]
}

const folder = new URL('../../data/fixtures/', import.meta.url)
const files = new Map<string, unknown>()

function read<Content>(path: string): Content {
  if (!files.has(path)) files.set(path, JSON.parse(readFileSync(new URL(path, folder), 'utf8')))
  return files.get(path) as Content
}

/** Every step of a file, in the order it was recorded. */
export const stepsOf = (file: string): readonly Step[] => read(`http/${file}.json`)

/** The step of this name. Throws without one. */
export function stepOf(file: string, name: string): Step {
  const step = stepsOf(file).find((one) => one.name === name)
  if (!step) throw new Error(`${file}.json has no step “${name}”`)
  return step
}

/** The recorded websocket of this name. Throws without one. */
export function sessionOf(file: string, name: string): Session {
  const session = read<readonly Session[]>(`ws/${file}.json`).find((one) => one.name === name)
  if (!session) throw new Error(`ws/${file}.json has no session “${name}”`)
  return session
}

/** Every recorded websocket of a file. */
export const sessionsOf = (file: string): readonly Session[] => read(`ws/${file}.json`)

/** What stands in for the values that the recording leaves out (fixtures/README, "Placeholders"). */
export interface Values {
  /** RFC 3339, of records. */
  readonly stamp: string
  readonly jwt: string
  readonly csrf: string
  readonly session: string
}

/** A recorded value with its placeholders filled. Times that say whether something is alive are those of now. */
export function fill(value: unknown, values: Values, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, values, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, values, name)]))
  if (typeof value !== 'string' || !value.includes('<')) return value
  if (value === '<unix>') return Math.floor(Date.now() / 1000)
  if (value === '<unix-ms>') return Date.now()
  return value
    .replaceAll('<ts>', timeOf(key, values))
    .replaceAll('<jwt>', values.jwt)
    .replaceAll('<csrf>', values.csrf)
    .replaceAll('<uuid>', values.session)
    .replaceAll('<pat>', `nzp_${'p'.repeat(32)}`)
    .replaceAll('<agent-secret>', 's'.repeat(32))
    .replaceAll('<generated-name>', 'brave-fox')
}

function timeOf(key: string, { stamp }: Values): string {
  if (key === 'last_active') return new Date().toISOString()
  if (key === 'expire') return new Date(Date.now() + 3_600_000).toISOString()
  return stamp
}

/** The page with which the firewall of a dashboard answers. Source: contract http-api 6.2. */
export const blockPage = (reason = 'you were blocked by nezha WAF'): string =>
  `<!DOCTYPE html><html><head><title>Blocked</title></head><body><h1>${reason}</h1><p>nezha WAF</p></body></html>`
