import type { Flag, Json, Millis, Stored } from './schema.ts'

/** Sites, hosts and ports that servers look at. */
export interface ServicesTable extends Stored {
  name: string
  type: number
  target: string
  /** Seconds. */
  duration: number
  display_index: number
  cover: number
  /** JSON list of server ids. */
  skip_servers: Json
  notify: Flag
  notification_group_id: number
  latency_notify: Flag
  /** Milliseconds. */
  min_latency: number
  max_latency: number
  enable_trigger_task: Flag
  /** JSON lists of task ids. */
  fail_trigger_tasks: Json
  recover_trigger_tasks: Json
  hide_for_guest: Flag
}

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
