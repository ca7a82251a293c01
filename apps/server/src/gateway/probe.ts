import { type Backoff, backoffMs } from '@qd/protocol/backoff'
import type { Logger } from 'pino'
import * as z from 'zod'
import type { PageSettings } from '../api/routes/pages.ts'
import { jsonOf } from '../kernel/json.ts'
import type { Clock } from '../kernel/ports.ts'
import type { Upstream } from '../kernel/upstream.ts'
import { elsewhere, nameOf, noDashboard, pageProblem, unreachable } from './problems.ts'
import { beginningOf, type Target } from './target.ts'

const probedPath = '/api/v1/setting'
const everyMs = 30_000
const retryBackoff: Backoff = { firstMs: 2000, maxMs: 30_000 }
const timeoutMs = 10_000
/** Settings contain custom code. */
const maxBytes = 4 * 1024 * 1024

/** `problem`: a sentence, or null. */
export interface Found {
  problem: string | null
  isOther: boolean
  /** A dashboard has answered since the start: the address is right. */
  wasSeen: boolean
  settings: PageSettings
}

const nothing: PageSettings = { language: '', custom_code: '', custom_code_dashboard: '' }

const text = z.string().catch('')
const envelope = z.object({
  success: z.boolean().catch(false),
  error: text,
  data: z
    .object({
      version: text,
      tsdb_enabled: z.boolean().optional().catch(undefined),
      config: z.object({
        language: text,
        custom_code: text,
        custom_code_dashboard: text,
        avatar_service: z.unknown().optional(),
      }),
    })
    .optional()
    .catch(undefined),
})

type Answer = { says: string; settings: PageSettings } | { problem: string; isOther?: true }

/** Logs each change once. */
export function createProbe(parts: {
  upstream: Upstream
  target: Target
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
}) {
  const { upstream, target, clock, log } = parts
  const name = nameOf(upstream)
  let found: Found = { problem: 'no response yet', isOther: false, wasSeen: false, settings: nothing }
  let said = ''
  let failures = 0
  let cancel = () => {}
  let isStopped = false

  function probe(): Promise<Answer> {
    return new Promise((resolve) => {
      const realIp = upstream.realIpHeader === null ? {} : { [upstream.realIpHeader]: '127.0.0.1' }
      const headers = { host: upstream.host, accept: 'application/json', ...realIp }
      const request = target.send({ method: 'GET', path: probedPath, headers, reuse: false })
      const timer = setTimeout(() => {
        resolve({ problem: `no response within ${timeoutMs / 1000} s` })
        request.destroy()
      }, timeoutMs)
      timer.unref()
      request.on('error', (error) => resolve({ problem: unreachable(error, upstream, found).says }))
      request.on('close', () => clearTimeout(timer))
      request.once('response', (answer) => {
        void beginningOf(answer, maxBytes).then((body) =>
          resolve(
            read(upstream, {
              status: answer.statusCode ?? 0,
              body,
              location: answer.headers.location,
              challenged: answer.headers['cf-mitigated'] === 'challenge',
            }),
          ),
        )
      })
      request.end()
    })
  }

  async function again(): Promise<void> {
    const result = await probe()
    if (isStopped) return
    const isWell = 'settings' in result
    const problem = isWell ? null : result.problem
    const isOther = !isWell && result.isOther === true
    found = { problem, isOther, wasSeen: isWell || found.wasSeen, settings: isWell ? result.settings : found.settings }
    const says = isWell ? `in front of ${name}: ${result.says}` : `cannot use the dashboard at ${name}: ${problem}`
    if (says !== said) {
      said = says
      if (isWell) log.info(says)
      else log.warn(says)
    }
    cancel = clock.after(isWell ? everyMs : backoffMs(retryBackoff, failures), () => void again())
    failures = isWell ? 0 : failures + 1
  }

  return {
    start: again,
    found: () => found,
    stop(): void {
      isStopped = true
      cancel()
    },
  }
}

/** Interprets a guest's `GET /api/v1/setting` (contract http-api 3.5, 6). */
function read(
  upstream: Upstream,
  {
    status,
    body,
    location,
    challenged,
  }: { status: number; body: string; location: string | undefined; challenged: boolean },
): Answer {
  const answer = envelope.safeParse(jsonOf(body))
  if (status >= 300 && status < 400) {
    return { problem: elsewhere(upstream, probedPath, location)?.says ?? `it redirects to ${location ?? ''}` }
  }
  if (answer.success && answer.data.error === 'real ip header not found')
    return {
      problem:
        'it expects the client address in a header that was not sent; name that header with --upstream-real-ip-header',
    }
  if (answer.success && answer.data.success && answer.data.data) {
    const { version, tsdb_enabled: isSecond, config } = answer.data.data
    const generation = isSecond === undefined ? '1.x' : '2.x'
    return { says: `a dashboard of ${version === '' ? generation : `version ${version}`}`, settings: config }
  }
  if (answer.success && answer.data.error !== '') return { problem: `it returned “${answer.data.error.slice(0, 200)}”` }
  const problem = pageProblem({ status, text: body, challenged }, upstream)
  if (problem) return { problem: problem.says }
  if (/HTTP request to an HTTPS server/i.test(body)) return { problem: 'it uses TLS on this port; use https://' }
  return { problem: noDashboard(upstream, status).says, isOther: true }
}
