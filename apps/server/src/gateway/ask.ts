import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { safeJson } from '../api/http/answer.ts'
import type { AskApi } from '../api/routes/first-answers.ts'
import type { Upstream } from '../kernel/upstream.ts'
import { type Asker, forUpstream, ownCookies } from './headers.ts'
import { beginningOf, type Target } from './target.ts'

/** A page waits no longer than this for an answer that would come with it; the console asks again by itself. */
const timeoutMs = 500
/** In bytes. */
const maxBytes = 4 * 1024 * 1024

/**
 * Asks the dashboard in the name of whoever asks for a page. What is no success, comes late or is too long is a failure here; what is one is safe
 * to stand in a page, whoever wrote it.
 */
export function createAsk(parts: {
  upstream: Upstream
  target: Target
  askerOf(request: IncomingMessage): Asker
  /** False while the dashboard is known not to answer: then nobody waits for it. */
  isUp(): boolean
}): (incoming: IncomingMessage) => AskApi {
  const { upstream, target, askerOf, isUp } = parts
  return (incoming) => (path) =>
    new Promise((resolve) => {
      const fail = () => resolve(new Response(null, { status: 503 }))
      if (!isUp()) return fail()
      const asker = askerOf(incoming)
      const kept = pick(incoming.headers, ['cookie', 'authorization', 'user-agent', 'accept-language'])
      const own = { ...kept, accept: 'application/json', 'accept-encoding': 'identity' }
      const headers = forUpstream({ headers: own, httpVersion: '1.1' }, asker, upstream)
      const request = target.send({ method: 'GET', path: `/api/v1/${path}`, headers, reuse: true })
      const timer = setTimeout(() => request.destroy(), timeoutMs)
      request.on('error', fail)
      request.on('close', () => clearTimeout(timer))
      request.once('response', (answer) => {
        if (answer.statusCode !== 200) {
          answer.destroy()
          return fail()
        }
        void beginningOf(answer, maxBytes).then((text) => {
          const json = safeSuccess(text)
          if (json === null) return fail()
          const cookies = ownCookies(answer.headers['set-cookie'], asker)
          resolve(new Response(json, { headers: cookies.map((line): [string, string] => ['set-cookie', line]) }))
        })
      })
      request.end()
    })
}

const pick = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))

/** The JSON of a success, safe inside HTML; null for anything else. */
function safeSuccess(text: string): string | null {
  try {
    const answer = JSON.parse(text) as { success?: unknown } | null
    return answer?.success === true ? safeJson(JSON.stringify(answer)) : null
  } catch {
    return null
  }
}
