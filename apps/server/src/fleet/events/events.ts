import type { EventKind } from '@qd/core/schemas'

/** Something that happened to a server; `params` is what its sentence names. */
export interface ServerEvent {
  serverId: number
  kind: EventKind
  params: Readonly<Record<string, string | number>>
  /** Epoch ms; absent: now. */
  at?: number
}

/** The event history of servers. */
export interface Events {
  /** Notes an event. Do not await it; failures are logged. More events of one server than an hour allows are dropped. */
  record(event: ServerEvent): void
}
