/** A message for a group. */
export interface Notice {
  /** 0: no group. Nobody is notified, but the mute starts. */
  groupId: number
  /** Owner of the rule, monitor or task; 0: the site. A group of another owner gets nothing. */
  ownerId: number
  message: string
  /** The server whose values fill placeholders; null: they stay as typed. */
  serverId: number | null
  /** What the notice is about: another one with the same label and group is dropped for a while (contract engines 4.8). Null: never muted. */
  mute: string | null
  /** Notices with the same cause are sent together if many come at a time. Absent: always sent alone. */
  cause?: string
  /** Called once when every member of the group was tried; not at all where the notice was muted. */
  onDelivered?(deliveries: readonly Delivery[]): void
}

/** How one notifier took a notice. */
export interface Delivery {
  readonly notification_id: number
  readonly name: string
  /** Epoch ms. */
  readonly at: number
  readonly ok: boolean
  /** Empty if it was taken. */
  readonly error: string
}

/** What a trial of a notifier found. */
export interface TestResult {
  /** HTTP status. */
  readonly status: number
  readonly ms: number
  readonly host: string
}

/** Sends messages to groups of notifiers: in the background, at once to all members. */
export interface Notices {
  send(notice: Notice): void
  /** Forgets a mute, so that the next notice of this label is sent. */
  lift(label: string, groupId: number): void
  /** Resolves when no message is on its way any more. */
  settled(): Promise<void>
}
