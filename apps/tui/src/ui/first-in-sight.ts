/** The first of so many rows that are shown, so that the one with the focus is in sight. */
export function firstInSight(count: number, focus: number, room: number): number {
  return Math.max(0, Math.min(focus - room + 1, count - room))
}
