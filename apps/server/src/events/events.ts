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
  /** Notes an event. Never awaited; failures are logged. What is too much of one server in an hour is dropped. */
  record(event: ServerEvent): void
}
