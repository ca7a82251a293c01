import { buildRequest, type FilledRequest, type RequestTemplate } from './notifier-request.ts'
import { fillNames } from './notifier-template.ts'

/** The kinds of records that DDNS writes, by the version of the address. */
export const RecordType = { ipv4: 'A', ipv6: 'AAAA' } as const
export type RecordType = (typeof RecordType)[keyof typeof RecordType]

/** What the placeholders of a DDNS webhook stand for. */
export interface DdnsFill {
  readonly ip: string
  /** Without a dot at the end. */
  readonly domain: string
  readonly record: RecordType
  readonly access_id: string
  readonly access_secret: string
}

/** The webhook of a profile, as it is stored. */
export interface DdnsWebhook {
  readonly webhook_url: string
  readonly webhook_method: number
  readonly webhook_request_type: number
  readonly webhook_request_body: string
  /** JSON object of names and values, or empty. */
  readonly webhook_headers: string
}

const fieldOf: Readonly<Record<string, string>> = {
  request_method: 'webhook_method',
  request_type: 'webhook_request_type',
  request_body: 'webhook_request_body',
  request_header: 'webhook_headers',
}

/** The field of a DDNS profile that holds this part of a request. */
export const ddnsFieldOf = (part: string): string => fieldOf[part] ?? part

/** The request that tells a webhook of one record. Errors: as `fillRequest`. Source: contract engines 6.4. */
export function fillDdnsRequest(webhook: DdnsWebhook, fill: DdnsFill): FilledRequest {
  const template: RequestTemplate = {
    url: webhook.webhook_url,
    request_method: webhook.webhook_method,
    request_type: webhook.webhook_request_type,
    request_body: webhook.webhook_request_body,
    request_header: webhook.webhook_headers,
  }
  const values = { ...fill, type: fill.record === RecordType.ipv4 ? 'ipv4' : 'ipv6' }
  return buildRequest(template, {
    fill: (text, safe) => fillNames(text, values, safe),
    hasBody: (method) => method !== 'GET' && method !== 'DELETE',
  })
}
