import * as z from 'zod'
import { lazy } from '../define/index.ts'
import { buildRequest, type FilledRequest, type RequestTemplate } from './notifier-request.ts'
import { fillNames } from './notifier-template.ts'

export const RecordType = { ipv4: 'A', ipv6: 'AAAA' } as const
export type RecordType = (typeof RecordType)[keyof typeof RecordType]

export interface DdnsFill {
  readonly ip: string
  /** Without a trailing dot. */
  readonly domain: string
  readonly record: RecordType
  readonly access_id: string
  readonly access_secret: string
}

export type DdnsWebhook = {
  readonly webhook_url: string
  readonly webhook_method: number
  readonly webhook_request_type: number
  readonly webhook_request_body: string
  /** A JSON object, or empty. */
  readonly webhook_headers: string
}

const fieldOf: Readonly<Record<string, string>> = {
  request_method: 'webhook_method',
  request_type: 'webhook_request_type',
  request_body: 'webhook_request_body',
  request_header: 'webhook_headers',
}

export const ddnsFieldOf = (part: string): string => fieldOf[part] ?? part

/** Builds the webhook’s request for a record. Errors: those of `fillRequest`. Source: contract engines 6.4. */
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

/** The latest update of a record. `error` is empty on success; `at` is RFC 3339. */
const result = lazy(() =>
  z.object({
    server_id: z.int(),
    server: z.string().catch(''),
    domain: z.string(),
    record: z.string(),
    address: z.string().catch(''),
    at: z.string(),
    error: z.string().catch(''),
    tries: z.int().catch(1),
  }),
)
export type DdnsResult = z.output<ReturnType<typeof result>>

/** By server, record and domain; without invalid ones. */
export const ddnsResults = lazy(() =>
  z
    .record(z.string(), z.unknown())
    .catch({})
    .transform(
      (all) =>
        Object.fromEntries(
          Object.entries(all).flatMap(([key, one]) => {
            const read = result().safeParse(one)
            return read.success ? [[key, read.data]] : []
          }),
        ) as Readonly<Record<string, DdnsResult>>,
    ),
)

export const ddnsResultKey = (serverId: number, record: string, domain: string): string =>
  `${serverId} ${record} ${domain}`

/** "home.example.net A 203.0.113.7 (web-1)". */
export const publishedLine = ({ domain, record, address, server }: DdnsResult): string =>
  `${domain} ${record} ${address} (${server})`

/** "home.example.net A (web-1): Invalid API Token". */
export const failureLine = ({ domain, record, server, error }: DdnsResult): string =>
  `${domain} ${record} (${server}): ${error}`
