import {
  type Action,
  type AnyRow,
  actionKey,
  deriving,
  fieldOf,
  fieldValue,
  holds,
  optionKey,
  optionName,
  type Resource,
  type ResourceName,
  type RowFailure,
  type TargetSelection,
  type Tone,
  textKey,
  titleOf,
  type Values,
  type View,
  type Viewer,
} from '../define/index.ts'
import { firstItem } from '../errors.ts'
import { nounOf } from '../i18n/index.ts'
import { loadedTargets, resources, type TargetContext } from '../resources/index.ts'
import type { Targets, TargetsText } from '../targets/index.ts'
import { rowsAbout, splitRows } from './bulk.ts'
import type { Say, TextRef } from './text.ts'
import { type UsedBy, usedBy } from './used-by.ts'

/** Actions on more servers or records than this are confirmed in a separate step (decisions.md, "Runs ask above 10 servers"). */
export const askAbove = 10

/**
 * How an action is confirmed. `stated`: its targets are shown; a fully typed command then runs, a key shows it first. `confirmed`: requires a yes.
 * `separately`: requires a yes of its own, even after a form was filled in.
 */
export type ConfirmLevel = 'nothing' | 'stated' | 'confirmed' | 'separately'

/** The one rule on every surface: confirm what can’t be undone or affects many. `count`: the target servers, else the records. */
export function confirmLevel({ confirm, final }: Pick<Action, 'confirm' | 'final'>, count: number): ConfirmLevel {
  if (confirm === 'none') return 'nothing'
  if (count > askAbove) return 'separately'
  return confirm === 'targets' && !final ? 'stated' : 'confirmed'
}

/** Whether a script must repeat the words too: a final action on the whole fleet at once (`fleet` servers) leaves no server to fall back on. */
export function insistsOnWords(
  { allAtOnce }: Pick<Action, 'allAtOnce'>,
  { rows, args, servers, fleet }: { rows: readonly AnyRow[]; args: Values; servers: number; fleet: number },
): boolean {
  return servers > askAbove && servers >= fleet && (allAtOnce?.(rows, args) ?? false)
}

export interface Confirm {
  readonly action: Action
  readonly resource: Resource
  readonly kind: 'ask' | 'delete' | 'block' | 'targets'
  readonly level: Exclude<ConfirmLevel, 'nothing'>
  readonly title: TextRef
  readonly text: TextRef | null
  readonly go: TextRef
  readonly objects: readonly { id: number; name: string; state: StateMark | null }[]
  /** Number of objects by state, most frequent first; empty if the resource has no state. */
  readonly counts: readonly (StateMark & { count: number })[]
  /** The command that one record will run on its targets. */
  readonly command: string | null
  readonly targetPreview: TargetPreview | null
  readonly servers: number
  readonly warnings: readonly TextRef[]
  /** Blocked rows, which aren’t among the objects. */
  readonly left: readonly RowFailure[]
  /** Known records elsewhere that refer to the objects. */
  readonly usedBy: readonly UsedBy[]
  /** What must be typed: the number of objects, or the title of the only one; null if a key is enough. */
  readonly typed: { readonly count: number; readonly of: ResourceName } | string | null
}

export interface StateMark {
  readonly option: string
  readonly label: string
  readonly tone: Tone
}

/** From this many objects on, a destructive action asks for typed words (behavior P-20). */
const typedFrom = 10
/** A run on more servers than this asks for their number. */
const runTypedAbove = 100

export function confirmOf(
  action: Action,
  resource: Resource,
  given: readonly AnyRow[],
  { view, viewer }: { view: View; viewer: Viewer },
): Confirm | null {
  const kind = action.confirm
  if (kind === 'none') return null
  const { ready: rows, refused: left } = splitRows(action, given, view)
  const objects = rows.map((row) => ({
    id: row.id,
    name: titleOf(resource, row),
    state: stateMark(resource, row, view),
  }))
  const label = { key: actionKey(action) }
  const targetPreview = kind === 'targets' ? previewAction(action, resource, rows, { view, viewer }) : null
  const onServers = action.runsOn && rows.length > 0 ? action.runsOn(rows) : null
  const servers = onServers?.servers ?? targetPreview?.targets.ids.length ?? 0
  const level = onServers
    ? confirmLevel({ confirm: 'targets', final: onServers.final }, servers)
    : confirmLevel(action, targetPreview ? servers : rows.length)
  if (level === 'nothing') return null
  return {
    action,
    resource,
    kind,
    level,
    title: { delete: { key: 'ui.confirm.deletion' }, block: { key: 'ui.confirm.block' }, ask: label, targets: label }[
      kind
    ],
    text: kind === 'delete' || kind === 'block' ? { key: 'ui.confirm.final' } : null,
    go: label,
    objects,
    counts: countStates(objects),
    command: kind === 'targets' && rows.length === 1 ? commandOf(resource, firstItem(rows)) : null,
    targetPreview,
    servers,
    warnings: [
      ...warningsOf(action, resource, rowsAbout(action, rows, view), view),
      ...(kind === 'delete' ? alsoDeleted(resource, rows) : []),
    ],
    left,
    usedBy: kind === 'delete' ? usedBy(resource, idsOf(rows), view) : [],
    typed: toType(action, resource, rows, servers),
  }
}

function commandOf({ fields }: Resource, row: AnyRow): string | null {
  const field = Object.keys(fields).find((name) => fieldOf({ fields }, name).kind === 'command')
  const text = field === undefined ? '' : String(row[field] ?? '')
  return text.trim() === '' ? null : text
}

function toType(
  { confirm, typed }: Action,
  resource: Resource,
  rows: readonly AnyRow[],
  servers: number,
): Confirm['typed'] {
  if (servers > runTypedAbove) return { count: servers, of: 'server' }
  if (typed && rows.length === 1) return titleOf(resource, firstItem(rows))
  return typed || (confirm === 'delete' && rows.length >= typedFrom) ? { count: rows.length, of: resource.name } : null
}

/** What is deleted together with the rows, by entity. */
function alsoDeleted({ owned }: Resource, rows: readonly AnyRow[]): TextRef[] {
  if (!owned) return []
  const counts = rows.map((row) => owned(row))
  return resources.flatMap(({ name }) => {
    const count = counts.reduce((sum, of) => sum + (of[name] ?? 0), 0)
    const noun = { key: textKey[count === 1 ? 'one' : 'many'](name) }
    return count === 0 ? [] : [{ key: 'ui.confirm.alsoDeleted', params: { number: count, noun } }]
  })
}

export function wordsToType({ typed }: Pick<Confirm, 'typed'>, { say, language }: Say): string | null {
  if (typed === null || typeof typed === 'string') return typed
  return `${typed.count} ${nounOf(say(textKey.many(typed.of)), language)}`
}

export function isTyped(words: string | null, typed: string): boolean {
  return words === null || typed.trim().toLowerCase() === words.toLowerCase()
}

export function stateMark(resource: Resource, row: AnyRow, view: View): StateMark | null {
  const name = resource.state?.field ?? resource.facet
  const field = name === null ? undefined : resource.fields[name]
  if (name === null || field?.kind !== 'choice') return null
  const value = fieldValue(resource, row, name, view)
  const option = optionName(field, value)
  const label = optionKey(resource, name, value)
  return option === null || label === null ? null : { option, label, tone: field.tones?.[option] ?? 'plain' }
}

function warningsOf(action: Action, resource: Resource, rows: readonly AnyRow[], view: View): TextRef[] {
  return action.warn.flatMap(({ when, warning }) => {
    const names = rows.filter((row) => holds(when, deriving(resource, row, view))).map((row) => titleOf(resource, row))
    return names.length === 0
      ? []
      : [{ key: textKey.warning(resource.name, warning), params: { count: names.length, names } }]
  })
}

const idsOf = (rows: readonly AnyRow[]) => rows.map(({ id }) => id)

function countStates(objects: Confirm['objects']): Confirm['counts'] {
  const counts = new Map<string, StateMark & { count: number }>()
  for (const { state } of objects) {
    if (state) counts.set(state.option, { ...state, count: (counts.get(state.option)?.count ?? 0) + 1 })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}

/** The servers that a record targets, as far as this viewer can know. */
export interface TargetPreview {
  readonly selection: TargetSelection
  readonly targets: Targets
  readonly sentence: TargetsText
}

/**
 * Previews a record’s targets, the same on every surface (behavior D1). A record whose owner the server hides belongs to the member, or, for an admin,
 * to anybody ("at most N").
 */
export function previewTargets(resource: Resource, row: AnyRow, by: Omit<TargetContext, 'row'>): TargetPreview | null {
  if (!resource.targets) return null
  const selection = resource.targets(row)
  return { selection, ...loadedTargets(selection, { ...by, row }) }
}

/** Previews an action’s targets: its own servers, or those of its records; null if it has none. */
export function previewAction(
  action: Action,
  resource: Resource,
  rows: readonly AnyRow[],
  by: Omit<TargetContext, 'row'>,
): TargetPreview | null {
  if (action.targets) {
    const selection = action.targets(rows)
    return { selection, ...loadedTargets(selection, by) }
  }
  if (action.starts !== 'run' && action.confirm !== 'targets') return null
  const each = rows.flatMap((row) => {
    const one = previewTargets(resource, row, by)
    return one ? [{ row, one }] : []
  })
  if (each.length < 2) return each[0]?.one ?? null
  const selection: TargetSelection = { mode: 'only', servers: [...new Set(each.flatMap(({ one }) => one.targets.ids))] }
  // If one record’s targets are uncertain, all are.
  const row = each.find(({ one }) => !one.targets.exact)?.row
  return { selection, ...loadedTargets(selection, { ...by, row }) }
}
