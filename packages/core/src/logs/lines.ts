import type { LogLine } from './session.ts'

/** Lines that are kept to be shown. */
export const maxLogLines = 10_000

/** The newest lines in the order of their times, after more have come. Lines beyond the maximum are dropped, the oldest first. */
export function withLines(lines: readonly LogLine[], more: readonly LogLine[], max = maxLogLines): readonly LogLine[] {
  const last = lines.at(-1)?.at ?? 0
  const all = [...lines, ...more]
  // A host may be late; most lines come in order.
  if (more.some(({ at }) => at < last)) all.sort((a, b) => a.at - b.at)
  return all.length > max ? all.slice(-max) : all
}
