import { previewAction, previewTargets, type TargetPreview } from '../actions/index.ts'
import {
  type Action,
  type AnyRow,
  type Field,
  fieldOf,
  holds,
  type Resource,
  type Values,
  type View,
} from '../define/index.ts'
import { driftOf, hasSelection, type RunItem, siteTimeZone, type TargetContext } from '../resources/index.ts'
import { nextRuns, parseSchedule, type ScheduleProblem } from '../schemas/index.ts'

export interface NamedServer {
  readonly id: number
  readonly name: string
}

export interface OfflineServer extends NamedServer {
  readonly lastSeenAt: string | null
}

export interface FormTargets extends TargetPreview {
  readonly isIdle: boolean
  /** Servers that will miss it, the longest gone last. */
  readonly offline: readonly OfflineServer[]
  readonly excepted: readonly NamedServer[]
  /** New and gone servers compared with the last run, if known. */
  readonly more: readonly NamedServer[]
  readonly fewer: readonly NamedServer[]
  /** Compared with the selection by which its servers were chosen, unless it follows that (behavior N-03). */
  readonly joined: readonly NamedServer[]
  readonly left: readonly NamedServer[]
}

export interface FormRuns {
  /** Epoch ms, at most five; empty if the schedule is invalid or never due. */
  readonly runs: readonly number[]
  /** The server’s zone. */
  readonly timeZone: string
  readonly problem: ScheduleProblem | null
}

const noDrift: ReturnType<typeof driftOf> = { joined: [], left: [] }

/** Null for a resource without targets. `by.row` is the edited record. */
export function targetsOfForm(resource: Resource, values: Values, by: TargetContext): FormTargets | null {
  const { view, viewer, row } = by
  const record = { ...values, id: row?.id ?? 0, owner: row?.owner }
  const preview = previewTargets(resource, record, { view, viewer })
  const mayBeIdle = resource.idle !== null && holds(resource.idle, record as AnyRow)
  const drift = preview && hasSelection(resource) ? driftOf(record as never, preview.selection, view) : noDrift
  return withNames(preview, view, { lastRun: serversOfLastRun(resource, by), mayBeIdle, drift })
}

export function targetsOfAction(
  action: Action,
  resource: Resource,
  rows: readonly AnyRow[],
  { view, viewer }: Pick<TargetContext, 'view' | 'viewer'>,
): FormTargets | null {
  return withNames(previewAction(action, resource, rows, { view, viewer }), view, {
    lastRun: null,
    mayBeIdle: false,
    drift: noDrift,
  })
}

function withNames(
  preview: TargetPreview | null,
  view: View,
  { lastRun, mayBeIdle, drift }: { lastRun: ReadonlySet<number> | null; mayBeIdle: boolean; drift: typeof noDrift },
): FormTargets | null {
  if (!preview) return null
  const { ids, offline, excepted } = preview.targets
  const named = (id: number): NamedServer => ({ id, name: view.title('server', id) ?? `#${id}` })
  return {
    ...preview,
    isIdle: mayBeIdle && ids.length === 0,
    offline: offline.map((id) => ({ ...named(id), lastSeenAt: lastSeen(view, id) })).sort(longestGoneLast),
    excepted: excepted.map(named),
    more: lastRun ? ids.filter((id) => !lastRun.has(id)).map(named) : [],
    fewer: lastRun ? [...lastRun].filter((id) => !ids.includes(id)).map(named) : [],
    joined: drift.joined.map(named),
    left: drift.left.map(named),
  }
}

/** Null without a visible schedule. */
export function runsOfForm(
  resource: Resource,
  values: Values,
  { view, row }: Pick<TargetContext, 'view' | 'row'>,
): FormRuns | null {
  const shown = resource.form.flatMap(({ fields }) => fields).filter(({ when }) => holds(when, values))
  const field = shown.find((one) => resource.fields[one.field]?.kind === 'schedule')?.field
  const definition = field === undefined ? undefined : resource.fields[field]
  if (field === undefined || definition?.kind !== 'schedule') return null
  const timeZone = siteTimeZone(view)
  const parsed = parseSchedule(String(values[field] ?? ''))
  if (!parsed.ok) return { runs: [], timeZone, problem: parsed.problem }
  const unchanged = row?.[field] === values[field]
  const began = (definition.since && row?.[definition.since]) ?? row?.updated_at
  const since = (unchanged && Date.parse(String(began))) || view.now
  const runs = nextRuns(parsed.schedule, { from: view.now, count: 5, timeZone, since })
  return {
    runs,
    timeZone: parsed.schedule.kind === 'calendar' ? (parsed.schedule.timeZone ?? timeZone) : timeZone,
    problem: null,
  }
}

function lastSeen(view: View, id: number): string | null {
  const server = view.find('server', id)
  return (server?.last_seen_at ?? server?.last_active ?? null) as string | null
}

function longestGoneLast(a: OfflineServer, b: OfflineServer): number {
  return (b.lastSeenAt ?? '').localeCompare(a.lastSeenAt ?? '')
}

/** Servers of the record’s last run, if its items are loaded. */
function serversOfLastRun(resource: Resource, { view, row }: TargetContext): ReadonlySet<number> | null {
  const field = Object.keys(resource.fields).find((name) => isRunReference(fieldOf(resource, name)))
  const last = row && field !== undefined ? view.find('run', Number(row[field])) : undefined
  const items = (last?.items ?? []) as readonly RunItem[]
  return items.length > 0 ? new Set(items.map((item) => item.server_id)) : null
}

function isRunReference(field: Field): boolean {
  return field.kind === 'ref' && field.to === 'run'
}
