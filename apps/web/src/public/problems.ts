import type { Reading } from '@qd/core/define'
import type { Translator } from '@qd/core/i18n'
import type { PublicServer } from './public-server.ts'
import type { PublicIncident } from './watched.ts'

/** One or more incidents as visitors see them: what is affected, not which rule. */
export interface Problem {
  key: string
  what: 'offline' | 'problem' | 'service'
  names: readonly string[]
  since: string | null
  /** `since` is when the server was last seen, because no incident has a start. */
  isLastSeen: boolean
  reading: Reading | null
  /** Planned: all started in maintenance, or their servers are in maintenance now. */
  isPlanned: boolean
}

/** Up to this many servers with the same problem have a line each. */
const each = 3

/**
 * Problems of incidents and of `down` servers without one, worst first. A server has one line, and many servers with
 * the same problem share one.
 */
export function problemsOf(
  incidents: readonly PublicIncident[],
  servers: readonly PublicServer[],
  down: readonly PublicServer[],
): Problem[] {
  const ofOne = [...bySubject(incidents)].map(([key, all]): Problem => {
    const own = all.map((one) => problemOf(one, servers))
    return { ...merge(own), names: own[0]!.names, key }
  })
  for (const { id, name, lastActive } of down)
    ofOne.push({ ...blank, key: `server ${id}`, what: 'offline', names: [name], since: lastActive, isLastSeen: true })
  return order.flatMap((like) => {
    const alike = ofOne.filter(({ what, isPlanned }) => what === like.what && isPlanned === like.isPlanned)
    const many = { key: `${like.what} ${like.isPlanned}`, names: alike.flatMap(({ names }) => names) }
    return like.what !== 'service' && alike.length > each ? [{ ...merge(alike), ...many }] : alike
  })
}

/** Maintenance to come, the first one first; servers with the same times share one. */
export function announcedOf(servers: readonly PublicServer[], now: number) {
  const found = new Map<string, { from: string; until: string; servers: PublicServer[] }>()
  for (const server of servers) {
    const { from, until } = server.nextMaintenance ?? { from: '', until: '' }
    if (!(Date.parse(from) > now)) continue
    const at = `${Date.parse(from)} ${Date.parse(until)}`
    const known = found.get(at) ?? { from, until, servers: [] }
    known.servers.push(server)
    found.set(at, known)
  }
  return [...found.values()].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))
}

const blank = { since: null, isLastSeen: false, reading: null, isPlanned: false }

const order = [false, true].flatMap((isPlanned) =>
  (['service', 'offline', 'problem'] as const).map((what) => ({ what, isPlanned })),
)

function bySubject(incidents: readonly PublicIncident[]): Map<string, PublicIncident[]> {
  const found = new Map<string, PublicIncident[]>()
  for (const one of incidents) {
    const subject = one.source === 'service' ? `service ${one.name}` : `server ${one.serverId}`
    found.set(subject, [...(found.get(subject) ?? []), one])
  }
  return found
}

type Unkeyed = Omit<Problem, 'key'>

function problemOf(incident: PublicIncident, servers: readonly PublicServer[]): Unkeyed {
  const { source, name, serverId, reading, openedAt: since } = incident
  if (source === 'service')
    return { ...blank, what: 'service', names: [name], since, reading, isPlanned: incident.isPlanned }
  const server = servers.find(({ id }) => id === serverId)
  const isPlanned = incident.isPlanned || (server !== undefined && server.maintenanceUntil !== null)
  const what = reading?.metric === 'offline' ? 'offline' : 'problem'
  return { ...blank, what, names: [server?.name ?? name], since, reading, isPlanned }
}

function merge(all: readonly Unkeyed[]): Omit<Unkeyed, 'names'> {
  const first = all[0]!
  if (all.length === 1) return first
  const times = all.flatMap(({ since }) => since ?? []).sort((a, b) => Date.parse(a) - Date.parse(b))
  return {
    what: all.some(({ what }) => what === 'offline') ? 'offline' : first.what,
    since: times[0] ?? null,
    isLastSeen: all.every(({ isLastSeen }) => isLastSeen),
    reading: null,
    isPlanned: all.every(({ isPlanned }) => isPlanned),
  }
}

/** A passed limit is less severe than a failure. */
export function toneOf({ isPlanned, what }: Pick<Problem, 'isPlanned' | 'what'>): 'muted' | 'warn' | 'bad' {
  if (isPlanned) return 'muted'
  return what === 'problem' ? 'warn' : 'bad'
}

export function problemText(t: Translator['t'], { what, names }: Pick<Problem, 'what' | 'names'>): string {
  const [name = ''] = names
  if (what === 'service') return t('ui.public.isDown', { name })
  if (what === 'offline')
    return names.length === 1 ? t('ui.public.isOffline', { name }) : t('ui.public.areOffline', { count: names.length })
  return names.length === 1
    ? t('ui.public.problemOn', { server: name })
    : t('ui.public.problemsOn', { count: names.length })
}
