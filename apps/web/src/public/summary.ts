import type { Translator } from '@qd/core/i18n'
import type { PublicState } from './feed.ts'
import { serverStateOf } from './public-server.ts'

export interface Summary {
  tone: 'ok' | 'bad' | 'muted'
  text: string
}

/** Services come before servers: visitors care about them first. */
export function summaryOf(
  t: Translator['t'],
  { servers, services, heardAt, isLost }: Pick<PublicState, 'servers' | 'services' | 'heardAt'> & { isLost: boolean },
): Summary {
  if (heardAt === null) return { tone: 'muted', text: t('ui.list.loading') }
  if (isLost) return { tone: 'muted', text: t('ui.live.lost') }
  const down = services?.filter((service) => service.state === 'down').length ?? 0
  if (down > 0) return { tone: 'bad', text: t('ui.public.servicesDown', { count: down, total: services!.length }) }
  const offline = servers.filter((server) => serverStateOf(server) === 'offline').length
  if (offline > 0) return { tone: 'bad', text: t('ui.public.offline', { count: offline, total: servers.length }) }
  const maintained = servers.filter((server) => serverStateOf(server) === 'maintenance').length
  if (maintained > 0) return { tone: 'muted', text: t('ui.public.maintained', { count: maintained }) }
  const up = services?.filter((service) => service.state !== 'noData').length ?? 0
  if (up > 0) return { tone: 'ok', text: t('ui.public.servicesUp', { count: up }) }
  if (servers.length === 0) return { tone: 'muted', text: t('ui.public.none') }
  return { tone: 'ok', text: t('ui.public.allOnline', { count: servers.length }) }
}
