import { createClient, createRecords, type Fetch, once } from '@qd/core/api'
import { AppError, firstItem } from '@qd/core/errors'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import type { Hono } from 'hono'
import { bearerOf, type Gate } from '../../access/gate.ts'
import { createCallRate } from '../../access/limits.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'
import { version } from '../../kernel/version.ts'
import { type MutableApiTokens, tokenPrefix } from '../../store/records/api-tokens.ts'
import type { Settings } from '../../store/records/settings.ts'
import { type HttpContext, type HttpEnv, readText } from '../http/request.ts'

const maxMessage = 8 * 1024 * 1024
/** As long as a tool waits for a run, and more. */
const callTimeoutMs = 330_000

/** JSON-RPC errors outside of tools (contract http-api 3.22). */
const code = { unauthorized: -32001, unavailable: -32002, parse: -32700, invalid: -32600 } as const

export interface McpParts {
  readonly settings: Settings
  readonly gate: Gate
  readonly clock: Clock
  readonly random: Random
  readonly capabilities: readonly string[]
  readonly tokens: Pick<MutableApiTokens, 'find'>
  app(): Pick<Hono<HttpEnv>, 'request'>
}

const loadTools = once(async () => {
  const { allTools, ...tools } = await import('@qd/core/tools')
  const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  return { ...tools, translator, all: allTools(translator) }
})

/** `POST /mcp`: core's tools over the Model Context Protocol, stateless, with an API token. */
export function createMcpRoute(parts: McpParts): (context: HttpContext) => Promise<Response> {
  const { settings, gate, clock, tokens } = parts
  const isWithin = createCallRate(clock)
  return async (context) => {
    const { incoming } = context.env
    if (!settings.get().enable_mcp) return refusal(code.unavailable, texts.mcpOff)
    if (!gate.sameOrigin(incoming)) throw new AppError('csrf', { text: texts.origin })
    const caller = bearerOf(incoming)?.startsWith(tokenPrefix) ? await gate.identify(incoming) : null
    if (!caller?.token) return refusal(code.unauthorized, texts.mcpToken, 401)
    const { token } = caller
    const message = await readText(incoming, maxMessage)
    const { readMessage, exchange, createMcpServer, toolError, translator, all } = await loadTools()
    let value: unknown
    try {
      value = JSON.parse(message)
    } catch (error) {
      return refusal(code.parse, `invalid json-rpc envelope: ${(error as Error).message}`)
    }
    const read = readMessage(value)
    if (!read) return refusal(code.invalid, Array.isArray(value) ? texts.mcpBatch : texts.mcpMessage)
    if (!isWithin(token.id)) {
      const isCall = 'method' in read && read.method === 'tools/call' && 'id' in read
      if (!isCall) return refusal(code.unavailable, texts.mcpRate, 429)
      return answer({ jsonrpc: '2.0', id: read.id, result: toolError(texts.mcpRate, 'rate_limited') })
    }
    /** Deleting the token or turning MCP off cancels running calls. */
    const demandStill = () => {
      if (!settings.get().enable_mcp || !tokens.find(token.id)) throw new AppError('cancelled')
    }
    const server = createMcpServer({
      ...{ version, translator, tools: all, viewer: caller.viewer },
      caller: async () => toolCaller(parts, { context, caller, translator, demandStill }),
    })
    const answered = await exchange(server, read)
    return answered === null ? new Response(null, { status: 202 }) : answer(answered)
  }
}

function toolCaller(
  { clock, random, capabilities, app }: McpParts,
  from: {
    context: HttpContext
    caller: Caller
    translator: ReturnType<typeof createTranslator>
    demandStill(): void
  },
) {
  const { context, caller, translator, demandStill } = from
  const now = () => clock.now()
  const client = createClient({
    ports: {
      now,
      random: () => firstItem(random.bytes(1)) / 256,
      setTimer: (run, ms) => clock.after(ms, run),
      fetch: fetchWithin(app(), context),
    },
    baseUrl: 'http://localhost',
    credentials: { kind: 'token', token: bearerOf(context.env.incoming)! },
    timeoutMs: callTimeoutMs,
    retries: 0,
  })
  return {
    client,
    viewer: caller.viewer,
    token: caller.token!,
    records: createRecords({ connection: { client, now }, warn: async () => {} }),
    translator,
    supports: (name: string) => capabilities.includes(name),
    now,
    async pause(ms: number) {
      await new Promise<void>((resolve) => void clock.after(ms, resolve))
      demandStill()
    },
  }
}

/** Calls this process's routes for the same caller, so that rights, limits and audit apply. */
function fetchWithin(app: Pick<Hono<HttpEnv>, 'request'>, { env }: HttpContext): Fetch {
  return async ({ method, url, headers, body = '' }) => {
    const { pathname, search } = new URL(url)
    const answer = await app.request(pathname + search, { method, headers }, { ...env, body })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, setCookies: [], text: async () => text }
  }
}

export const mcpMethods = (): Response =>
  new Response(JSON.stringify({ error: texts.mcpMethod }), { status: 405, headers: { ...json, Allow: 'POST' } })

const json = { 'Content-Type': 'application/json; charset=utf-8' }

const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status, headers: json })

const refusal = (number: number, message: string, status = 200) =>
  answer({ jsonrpc: '2.0', error: { code: number, message } }, status)
