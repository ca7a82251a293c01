import { AppError } from '@qd/core/errors'
import { answerBytes, failureIn, fillRequest, type RequestTemplate, type TemplateServer } from '@qd/core/schemas'
import type { LiveState } from '../../fleet/live/live-store.ts'
import type { Outbound } from '../../kernel/net/outbound.ts'
import type { Clock } from '../../kernel/ports.ts'
import { texts } from '../../kernel/texts.ts'
import type { Records, ServerRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'
import type { TestResult } from './types.ts'

export interface NotifierValues extends RequestTemplate {
  readonly verify_tls: boolean
  readonly format_metric_units: boolean
}

export interface Delivered {
  /** The value of `X-Quarterdeck-Notice`, by which a receiver recognizes a repetition. */
  notice: string
  message: string
  /** Null: server placeholders stay as typed. */
  serverId: number | null
  timeoutMs?: number
}

/** Errors: `failed` or `invalid` with the reason as text. */
export type Deliver = (notifier: NotifierValues, what: Delivered) => Promise<TestResult>

const usualTimeoutMs = 30_000

const noticeHeader = 'X-Quarterdeck-Notice'

/** Nezha's texts by field and problem. */
const problems: Readonly<Record<string, string>> = {
  'request_method.notOption': texts.requestMethod,
  'request_type.notOption': texts.requestType,
  'request_header.notHeaders': texts.wrongType,
  'request_body.notJson': texts.wrongType,
}

export function createDelivery(parts: {
  outbound: Outbound
  clock: Clock
  settings: Settings
  servers: Records<ServerRow>
  live: LiveState
}): Deliver {
  const { outbound, clock, settings, servers, live } = parts

  function templateServer(id: number | null): TemplateServer | null {
    const row = id === null ? undefined : servers.find(id)
    if (!row) return null
    return {
      id: row.id,
      name: row.name,
      host: live.hostOf(row.id),
      state: live.sampleOf(row.id),
      geoip: live.geoipOf(row.id),
    }
  }

  return async (notifier, { notice, message, serverId, timeoutMs = usualTimeoutMs }) => {
    const began = performance.now()
    const request = withText(() =>
      fillRequest(notifier, {
        message,
        at: clock.now(),
        timeZone: settings.timeZone(),
        server: templateServer(serverId),
        units: notifier.format_metric_units,
      }),
    )
    const { status, reason, body } = await outbound({
      ...request,
      headers: { ...request.headers, [noticeHeader]: notice },
      verifyTls: notifier.verify_tls,
      timeoutMs,
      readsBytes: answerBytes,
      mayBeCut: true,
    })
    if (status < 200 || status > 299) throw new AppError('notDelivered', { text: `${status}@${status} ${reason}` })
    const failure = failureIn(request, body ?? '')
    if (failure)
      throw new AppError('notDelivered', { text: `${status}@${status} ${reason}, but its body says ${failure}` })
    return { status, ms: Math.round(performance.now() - began), host: hostOf(request.url) }
  }
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}

function withText<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const [problem] = error.problems
    const text = error.code === 'tooLarge' ? texts.tooLarge : problems[`${problem?.field}.${problem?.code}`]
    throw new AppError(error.code, text ? { text } : {}, { problems: error.problems })
  }
}
