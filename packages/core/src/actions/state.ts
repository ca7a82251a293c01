import { type Action, type AnyRow, allowed, type Resource, textKey, type View, type Viewer } from '../define/index.ts'
import { rowsAbout, splitRows } from './bulk.ts'
import type { TextRef } from './text.ts'

/** Who looks, at which list, on which server. */
export interface Surroundings {
  readonly viewer: Viewer
  readonly view: View
  /** True when the server announced the capability. */
  supports(capability: string): boolean
}

/** Whether an action is to be seen, and why it cannot be used now: hidden for permission, grey for state (looks, rule 7). */
export interface ActionState {
  readonly shown: boolean
  readonly reason: TextRef | null
}

/** State of an action before any record is chosen: permission and the server's capabilities. */
export function offerState(
  action: Action,
  { viewer, supports }: Pick<Surroundings, 'viewer' | 'supports'>,
): ActionState {
  const shown = allowed(viewer, action)
  const isMissing = action.capability !== null && !supports(action.capability)
  return { shown, reason: shown && isMissing ? { key: 'ui.reasons.capability' } : null }
}

/** The action that makes a record of this resource while another form names it; null where nobody may or can, and for what no form makes. */
export function createOffer(
  { actions: { create }, form }: Resource,
  around: Pick<Surroundings, 'viewer' | 'supports'>,
): Action | null {
  if (!create || form.length === 0) return null
  const { shown, reason } = offerState(create, around)
  return shown && reason === null ? create : null
}

/** State of an action on these rows. The reason is the predicate itself. Of several rows one that is blocked does not stand in the way of the others: only where all are, the first says why. */
export function actionState(action: Action, rows: readonly AnyRow[], surroundings: Surroundings): ActionState {
  const offer = offerState(action, surroundings)
  if (!offer.shown || offer.reason) return offer
  return { shown: true, reason: countReason(action, rows.length) ?? blockReason(action, rows, surroundings.view) }
}

/** What is said where an action has nothing to act on; `null` for what is looked at without an action. */
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
