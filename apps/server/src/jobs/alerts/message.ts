import type { Base } from '../../base.ts'
import type { LiveState } from '../../live/live-state.ts'
import { shownAddress } from '../../net/shown-address.ts'

/** What a message of a rule begins with. */
export const mark = { failing: '[Incident]', recovered: '[Resolved]', test: '[Test] [Incident]' } as const

/** The text that tells of a rule on a server, `[Incident] {server}({ip}) {rule}` (contract engines 15). */
export type AlertMessage = (begin: (typeof mark)[keyof typeof mark], serverId: number, ruleName: string) => string

/** Names and addresses as they are when a message is made. */
export function createAlertMessage(
  { servers, settings }: Pick<Base, 'servers' | 'settings'>,
  live: Pick<LiveState, 'geoipOf'>,
): AlertMessage {
  return (begin, serverId, ruleName) => {
    const address = shownAddress(live.geoipOf(serverId), settings.get().enable_plain_ip_in_notification === true)
    return `${begin} ${servers.find(serverId)?.name ?? ''}(${address}) ${ruleName}`
  }
}
