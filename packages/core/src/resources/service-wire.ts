import type { Beside } from '../define/index.ts'
import { markedIds, marks, serviceOverview } from '../schemas/index.ts'
import { serviceStatusOf } from './service-status.ts'

/** Both names of the one fact: each server takes the one it knows (decisions.md, `hide_for_guest`). */
export function encode(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...values,
    skip_servers: marks(values.skip_servers),
    enable_show_in_service: !values.hide_for_guest,
  }
}

/**
 * A record as the wire has it, of a server that knows either name. Both leave out what is false: only who knows the older name has no
 * weight (contract http-api 4.5).
 */
export function decode(item: unknown): Record<string, unknown> {
  const { enable_show_in_service, ...row } = item as Record<string, unknown>
  const isLeftOut = enable_show_in_service === undefined
  const isHidden =
    row.hide_for_guest ?? (isLeftOut ? 'id' in row && !('display_index' in row) : !enable_show_in_service)
  return { ...row, skip_servers: markedIds(row.skip_servers), hide_for_guest: isHidden }
}

/** On its way in, a map that is none stays as it is, to be refused. */
export function decodeBody(body: unknown): Record<string, unknown> {
  const { skip_servers: map } = body as { skip_servers?: unknown }
  return { ...decode(body), ...(Array.isArray(map) && { skip_servers: {} }) }
}

/** In percent; null without a result. */
const shareOf = (up: number, down: number): number | null => (up + down === 0 ? null : (up / (up + down)) * 100)

/** An existing dashboard tells how services stand by a call of its own (contract engines 2.9), and nothing of how long they have. */
export const serviceStates: Beside = {
  path: 'service',
  isMissing: (item) => typeof item === 'object' && item !== null && !('status' in item),
  adds(answer) {
    const { services } = serviceOverview().parse(answer)
    return (item) => {
      const one = services[(item as { id: number }).id]
      if (!one) return item
      const { current_up: up, current_down: down } = one
      return {
        ...(item as object),
        status: serviceStatusOf({ up, down }),
        // The mean of today goes on although nothing answers any more.
        delay: up > 0 ? one.delay.at(-1) || null : null,
        up_percent: shareOf(one.total_up, one.total_down),
        days: one.up.map((good, day) => shareOf(good, one.down[day] ?? 0) ?? -1),
      }
    }
  },
}
