/** A server is online while its last report is not older than this (contract http-api 4.3). */
export const onlineWithinMs = 30_000

export function isOnline(row: { last_active: string | null }, now: number): boolean {
  return row.last_active !== null && now - Date.parse(row.last_active) <= onlineWithinMs
}

/** True while the agent's stream is open, however long it said nothing: the server discards the last report when the stream ends. */
export function isConnected(row: { last_active: string | null }): boolean {
  return row.last_active !== null
}

/** Samples in a row that must agree on another state before that state is shown, so that a state does not flicker. */
const holdSamples = 5

/** A state that holds. `against`: samples in a row that said otherwise. */
export interface Held {
  readonly is: boolean
  readonly against: number
}

export function hold({ is, against }: Held, says: boolean): Held {
  if (says === is) return { is, against: 0 }
  return against + 1 < holdSamples ? { is, against: against + 1 } : { is: says, against: 0 }
}
