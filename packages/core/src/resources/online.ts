/** Maximum age of an online server’s last report (contract http-api 4.3). */
export const onlineWithinMs = 30_000

/** Epoch ms; NaN for a server that never was, so that no comparison holds. */
export function onlineUntil({ last_active }: { last_active: string | null }): number {
  return last_active === null ? Number.NaN : Date.parse(last_active) + onlineWithinMs
}

export const isOnline = (row: { last_active: string | null }, now: number): boolean => now <= onlineUntil(row)

/** Whether the agent’s stream is open, even if silent: the server discards the last report when the stream ends. */
export function isConnected(row: { last_active: string | null }): boolean {
  return row.last_active !== null
}

/** Number of consecutive samples that change a state, to prevent flicker. */
const holdSamples = 5

/** `against`: consecutive samples of another state. */
export interface Held {
  readonly is: boolean
  readonly against: number
}

export function hold({ is, against }: Held, says: boolean): Held {
  if (says === is) return { is, against: 0 }
  return against + 1 < holdSamples ? { is, against: against + 1 } : { is: says, against: 0 }
}
