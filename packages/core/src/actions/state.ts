import { type Action, type AnyRow, allowed, type Resource, textKey, type View, type Viewer } from '../define/index.ts'
import { rowsAbout, splitRows } from './bulk.ts'
import type { TextRef } from './text.ts'

export interface Surroundings {
  readonly viewer: Viewer
  readonly view: View
  supports(capability: string): boolean
}

/** Hidden without permission, disabled with a reason by state (looks, rule 7). */
export interface ActionState {
  readonly shown: boolean
  readonly reason: TextRef | null
}

/** The state of an action before any record is selected: permission and capabilities. */
export function availability(
  action: Action,
  { viewer, supports }: Pick<Surroundings, 'viewer' | 'supports'>,
): ActionState {
  const shown = allowed(viewer, action)
  const isMissing = action.capability !== null && !supports(action.capability)
  return { shown, reason: shown && isMissing ? { key: 'ui.reasons.capability' } : null }
}

/** The action that creates a record from within another form. Null if the resource has no form or the viewer can’t create it. */
export function createActionFor(
  { actions: { create }, form }: Resource,
  around: Pick<Surroundings, 'viewer' | 'supports'>,
): Action | null {
  if (!create || form.length === 0) return null
  const { shown, reason } = availability(create, around)
  return shown && reason === null ? create : null
}

/** If only some of the rows are blocked, the action stays available; if all are, returns the first one’s reason. */
export function actionState(action: Action, rows: readonly AnyRow[], surroundings: Surroundings): ActionState {
  const available = availability(action, surroundings)
  if (!available.shown || available.reason) return available
  return { shown: true, reason: countReason(action, rows.length) ?? blockReason(action, rows, surroundings.view) }
}

/** What to say when nothing is selected; `null` for viewing without an action. */
export function unchosenText(action: Action | null): string {
  return !action || action.unchosen === null ? 'ui.list.noRows' : textKey.reason(action.resource, action.unchosen)
}

function countReason(action: Action, count: number): TextRef | null {
  const { on } = action
  if (on === 'none' || count === 1) return null
  if (count === 0) return { key: unchosenText(action) }
  return on === 'one' ? { key: 'ui.reasons.onlyOne', params: { count } } : null
}

function blockReason(action: Action, rows: readonly AnyRow[], view: View): TextRef | null {
  const { ready, refused } = splitRows(action, rowsAbout(action, rows, view), view)
  const reason = ready.length === 0 ? refused[0]?.error.params.reason : undefined
  return reason === undefined ? null : { key: textKey.reason(action.resource, String(reason)) }
}
