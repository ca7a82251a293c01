import { AppError } from '@qd/core/errors'
import type { DdnsRow } from '../../store/records/rows.ts'
import type { WantedRecord } from './plan.ts'

/** Errors: `failed` with the provider's reason. */
export interface DdnsProviderPort {
  publish(profile: DdnsRow, wanted: WantedRecord): Promise<void>
  /** Minimum time between calls of one update, in ms. */
  readonly pauseMs?: number
}

/** Calls a provider's API; `body` is cut at 256 KiB. */
export type CallApi = (call: {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
}) => Promise<{ status: number; body: string }>

export const refusedBy = (provider: string, why: string): AppError =>
  new AppError('failed', { text: `${provider}: ${why}` })

/** Errors: `failed` if the response isn't JSON. */
export function jsonFrom(provider: string, { status, body }: { status: number; body: string }): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw refusedBy(provider, `returned ${status}, but not a response of its API`)
  }
}
