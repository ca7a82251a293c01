import type { Json, Millis } from './column-types.ts'

/** How a service stood when it was last written down. */
export interface ServiceStatesTable {
  service_id: number
  /** One of core's `ServiceStatus`. */
  status: number
  since: Millis
  last_result_at: Millis
  /** JSON list of rounds. */
  rounds: Json
  /** JSON list of certificates, newest last. */
  certificates: Json
}
