export interface Notice {
  /** 0: no group; only the mute starts. */
  groupId: number
  /** Owner of the rule, monitor or task; 0: the site. Groups of other owners get nothing. */
  ownerId: number
  message: string
  /** Fills placeholders; null: they stay as typed. */
  serverId: number | null
  /** Label that drops repeats to the same group for a while (contract engines 4.8). */
  mute: string | null
  /** Notifications with the same cause are grouped if there are many. */
  cause?: string
  /** IDs of the incidents that it is about, which record the results, also those after a restart. */
  incidents?: readonly number[]
  /** Called once after every member was tried; never if muted, or if the server stopped before. */
  onDelivered?(deliveries: readonly Delivery[]): void
}

export interface Delivery {
  readonly notification_id: number
  readonly name: string
  /** Epoch ms. */
  readonly at: number
  readonly ok: boolean
  readonly error: string
}

/** Records a result with the incidents of a notification. */
export type RecordDelivery = (incidents: readonly number[], delivery: Delivery) => Promise<void>

export interface TestResult {
  readonly status: number
  readonly ms: number
  readonly host: string
}

export interface Notices {
  send(notice: Notice): void
  lift(label: string, groupId: number): void
  /** Results wait until this is called. */
  onDelivered(told: RecordDelivery): void
  settled(): Promise<void>
}
