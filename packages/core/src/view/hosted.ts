import type { HostEntry } from '../actions/index.ts'
import { type AnyRow, allowed, type Resource } from '../define/index.ts'
import type { AppError } from '../errors/index.ts'
import { errorText } from '../i18n/index.ts'
import { resources } from '../resources/index.ts'
import { countOptions } from '../targets/index.ts'
import type { Surface } from './cell.ts'
import { facetsOf, facetText } from './facets.ts'
import { type HostLine, hostNote } from './host-summary.ts'
import { sortRows } from './order.ts'

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
