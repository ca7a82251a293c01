import { SettingCover } from '@qd/core/resources'
import type { GeoIp } from '@qd/core/schemas'
import type { Base } from '../base.ts'
import type { LiveState } from '../fleet/live/live-store.ts'
import type { Engine } from '../kernel/engine.ts'
import { shownAddress } from '../kernel/net/address-ranges.ts'
import type { SettingValues } from '../store/records/settings.ts'
import type { Notices } from './notices/types.ts'

type Addresses = NonNullable<GeoIp['ip']>

type NoticeSettings = Pick<
  SettingValues,
  'enable_ip_change_notification' | 'cover' | 'ignored_ip_notification' | 'enable_plain_ip_in_notification'
>

/** The notification about changed addresses; null if there is none (contract engines 5). */
export function ipChangeMessage(
  { name, id }: { name: string; id: number },
  { before, after }: { before: Addresses; after: Addresses },
  settings: NoticeSettings,
): string | null {
  const { enable_ip_change_notification: isOn, cover, ignored_ip_notification: listed } = settings
  const isCovered =
    (cover === SettingCover.allExcept && !listed.includes(id)) ||
    (cover === SettingCover.onlyListed && listed.includes(id))
  if (!isOn || !isCovered || isSame(before, after) || plain(before) === '' || plain(after) === '') return null
  const text = (ip: Addresses) => shownAddress({ ip }, settings.enable_plain_ip_in_notification)
  return `[IP Changed] ${name}, ${text(before)} => ${text(after)}`
}

const plain = (ip: Addresses) => shownAddress({ ip }, true)

const isSame = (a: Addresses, b: Addresses) =>
  (a.ipv4_addr ?? '') === (b.ipv4_addr ?? '') && (a.ipv6_addr ?? '') === (b.ipv6_addr ?? '')

/** The first report after a start isn't a change. */
export function createIpChange(
  { servers, settings }: Pick<Base, 'servers' | 'settings'>,
  { live, notices }: { live: LiveState; notices: Notices },
): Engine {
  const known = new Map<number, Addresses>()
  let unlisten = () => {}

  function check(id: number) {
    const server = servers.find(id)
    if (!server) return void known.delete(id)
    const after = live.geoipOf(id).ip ?? {}
    const before = known.get(id) ?? {}
    if (after === before || plain(after) === '') return
    known.set(id, after)
    const values = settings.get()
    const message = ipChangeMessage(server, { before, after }, values)
    if (message === null) return
    const groupId = values.ip_change_notification_group_id
    notices.send({ groupId, ownerId: 0, message, serverId: null, mute: null })
  }

  return {
    name: 'ip-change',
    async start() {
      unlisten = live.onChange(check)
    },
    async stop() {
      unlisten()
    },
  }
}
