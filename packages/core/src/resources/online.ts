/** A server is online while its last report is not older than this (contract http-api 4.3). */
export const onlineWithinMs = 30_000

/** True while the agent's last report is recent. */
export function isOnline(row: { last_active: string | null }, now: number): boolean {
  return row.last_active !== null && now - Date.parse(row.last_active) <= onlineWithinMs
}
