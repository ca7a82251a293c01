import type { HostEntry } from '../actions/index.ts'
import { type AnyRow, allowed, type HostState, type Resource, type Tone, type View } from '../define/index.ts'
import type { AppError } from '../errors.ts'
import { errorText, type Translator } from '../i18n/index.ts'
import { resources } from '../resources/index.ts'
import { countOptions } from '../targets/index.ts'
import type { Surface } from './cell.ts'
import { facetsOf, facetText } from './facets.ts'
import { sortRows } from './order.ts'

/** The word in the text key of each state, and how it feels. */
const states: Readonly<Record<HostState, { readonly word: string; readonly tone: HostLine['tone'] }>> = {
  // With an error: only a part was read.
  read: { word: 'partly', tone: 'warn' },
  pending: { word: 'pending', tone: 'accent' },
  offline: { word: 'offline', tone: 'warn' },
  'timed out': { word: 'timedOut', tone: 'warn' },
  'not supported': { word: 'notSupported', tone: 'muted' },
  refused: { word: 'refused', tone: 'warn' },
  'no permission': { word: 'noPermission', tone: 'warn' },
  failed: { word: 'failed', tone: 'bad' },
}
/** Names that stand in a line; the others are counted. */
const namedAtMost = 5
/** What a host said of a failure, as far as it stands in a line. */
const longestReason = 120

/** One line about hosts that are alike. */
export interface HostLine {
  readonly text: string
  readonly tone: Exclude<Tone, 'plain'>
}

/** How many hosts answered, and a line for each state of the others with their names. */
export interface HostSummary {
  readonly answered: string
  readonly read: number
  readonly total: number
  readonly lines: readonly HostLine[]
}

/** Whether a host answered, and no part of it failed. */
export const isReadWhole = ({ state, error }: Pick<HostEntry, 'state' | 'error'>): boolean =>
  state === 'read' && error === ''

/** Why the records of one host aren’t there, or not all, as a sentence; null if all are, or are still being read. */
function hostNote({ state, error, left }: HostEntry, { t, say }: Translator): HostLine | null {
  if (state === 'pending') return null
  const whole = left > 0 && ({ text: t('ui.hosts.left', { count: left }), tone: 'warn' } as const)
  if (isReadWhole({ state, error })) return whole || null
  const { word, tone } = states[state]
  const text = say(`ui.detail.hosted.${word}`)
  return { text: error === '' ? text : `${text} (${error.slice(0, longestReason)})`, tone }
}

/** What a list of hosts says above its rows. Pure. */
export function hostSummary(
  hosts: readonly HostEntry[],
  view: Pick<View, 'title'>,
  { t, say }: Translator,
): HostSummary {
  const read = hosts.filter(({ state }) => state === 'read').length
  const nameOf = ({ server_id }: HostEntry) => view.title('server', server_id) ?? `#${server_id}`
  const namesOf = (some: readonly HostEntry[]) => {
    const names = some.slice(0, namedAtMost).map(nameOf).join(', ')
    return some.length > namedAtMost ? t('ui.hosts.more', { names, count: some.length - namedAtMost }) : names
  }
  const lines = Object.entries(states).flatMap(([state, { word, tone }]): HostLine[] => {
    const some = hosts.filter((host) => host.state === state && !isReadWhole(host))
    if (some.length === 0) return []
    const reasons = new Set(some.map(({ error }) => error).filter((error) => error !== ''))
    const [reason = ''] = reasons.size === 1 ? reasons : []
    const label = say(`ui.hosts.states.${word}`)
    const text = t('ui.hosts.group', { state: label, names: namesOf(some) })
    return [{ text: reason === '' ? text : `${text} (${reason.slice(0, longestReason)})`, tone }]
  })
  const left = hosts.reduce((sum, host) => sum + host.left, 0)
  return {
    answered: t('ui.hosts.answered', { read, total: hosts.length }),
    read,
    total: hosts.length,
    lines: left > 0 ? [...lines, { text: t('ui.hosts.left', { count: left }), tone: 'warn' }] : lines,
  }
}

/** Records of one kind that a server’s page shows. */
const most = 5

/** What a server’s page shows of one kind of record on its host. */
export interface Hosted {
  /** The first ones in the order of their list. */
  readonly rows: readonly AnyRow[]
  /** How many there are. */
  readonly count: number
  /** States of records that are problems, such as “2 failed”. */
  readonly problems: readonly HostLine[]
  /** Why there are no records, or not all. */
  readonly note: HostLine | null
  /** The host hasn’t answered yet. */
  readonly isComing: boolean
}

/** The query for one server. */
export const onServer = (id: number): string => `#${id}`

/** The kinds of record on hosts that the viewer may read, in the registry’s order. */
export const hostKindsFor = ({ viewer }: Pick<Surface, 'viewer'>): readonly Resource[] =>
  resources.filter(
    ({ host, audience, scopes }) => host && allowed(viewer, { audience: audience.read, scope: scopes.read }),
  )

/** The records of a kind on a server’s host, from a list of one or more hosts. Null if the viewer may not look into hosts. */
export function hostedOf(
  { view, translator, format }: Surface,
  resource: Resource,
  server: number,
  { hosts, error }: { readonly hosts: readonly HostEntry[]; readonly error: AppError | null },
): Hosted | null {
  if (error?.code === 'forbidden') return null
  const entry = hosts.find(({ server_id }) => server_id === server)
  const all = entry ? view.all(resource.name).filter(({ server_id }) => server_id === server) : []
  const problems = facetsOf(resource, countOptions(resource, all, view), view).flatMap((facet): HostLine[] => {
    const { tone, count } = facet
    if (count === 0 || (tone !== 'bad' && tone !== 'warn')) return []
    return [{ text: facetText(facet, translator, format.number(count)), tone }]
  })
  const failure = error && ({ text: errorText(translator, error).title, tone: 'bad' } as const)
  const none = all.length === 0 && ({ text: translator.t('ui.detail.hosted.none'), tone: 'muted' } as const)
  const isComing = failure === null && all.length === 0 && (!entry || entry.state === 'pending')
  return {
    rows: sortRows(resource, all, resource.sort, view).slice(0, most),
    count: all.length,
    problems,
    note: failure ?? (entry && !isComing ? (hostNote(entry, translator) ?? (none || null)) : null),
    isComing,
  }
}
