/** The first of so many rows that are shown, so that the one with the focus is in sight. */
export function firstInSight(count: number, focus: number, room: number): number {
  return Math.max(0, Math.min(focus - room + 1, count - room))
}

/** Which of them stands in a row of a list with a title, whose row is 0; null for none. */
export function pressedAt(
  row: number,
  { count, focus, room }: Record<'count' | 'focus' | 'room', number>,
): number | null {
  return row < 1 || row > Math.min(room, count) ? null : firstInSight(count, focus, room) + row - 1
}
