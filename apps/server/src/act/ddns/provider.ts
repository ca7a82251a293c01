import { AppError } from '@qd/core/errors'
import type { DdnsRow } from '../../store/records/rows.ts'
import type { WantedRecord } from './plan.ts'

/** Gives a record its address. Errors: `failed` with a text that says why the provider did not take it. */
export interface DdnsProviderPort {
  publish(profile: DdnsRow, wanted: WantedRecord): Promise<void>
  /** Least time between two calls of one update, in ms. */
  readonly pauseMs?: number
}

/** A call to the API of a provider. `status` and `body` as they came, whatever they are; `body` is cut at 256 KiB. */
export type CallApi = (call: {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string | null
}) => Promise<{ status: number; body: string }>

/** The provider did not take it. */
export const refusedBy = (provider: string, why: string): AppError =>
  new AppError('failed', { text: `${provider}: ${why}` })

/** The answer of a provider as JSON. Errors: `failed` where it is none. */
export function jsonFrom(provider: string, { status, body }: { status: number; body: string }): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    throw refusedBy(provider, `returned ${status}, but not a response of its API`)
  }
}
