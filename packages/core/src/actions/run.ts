import {
  type Action,
  type ActionContext,
  type AnyRow,
  allowed,
  demand,
  type Outcome,
  type ResourceName,
} from '../define/index.ts'
import { type AppError, toAppError } from '../errors/index.ts'
import { resourceByName, resources } from '../resources/index.ts'
import { type Confirm, confirmOf, referenceFields } from './confirm.ts'
import { actionState } from './state.ts'
import type { TextRef } from './text.ts'

/** How a run of an action ended. */
export type RunReport =
  | { kind: 'refused'; reason: TextRef }
  | { kind: 'cancelled' }
  | { kind: 'failed'; error: AppError }
  | { kind: 'ok'; outcome: Outcome; refresh: readonly ResourceName[] }

/** What a run needs. `ask` shows the confirm and answers whether to go on. */
export interface RunRequest {
  action: Action
  rows: readonly AnyRow[]
  context: ActionContext
  supports(capability: string): boolean
  ask(confirm: Confirm): Promise<boolean>
}

/** The one pipeline: allowed? blocked? ask, run, turn what was thrown into an error, say what to read again. Never rejects. */
export async function runAction({ action, rows, context, supports, ask }: RunRequest): Promise<RunReport> {
  try {
    const { viewer, view } = context
    if (!allowed(viewer, action)) demand(viewer, action)
    const { reason } = actionState(action, rows, { viewer, view, supports })
    if (reason) return { kind: 'refused', reason }
    const resource = resourceByName(action.resource)
    const confirm = resource ? confirmOf(action, resource, rows, { view, viewer }) : null
    if (confirm && !(await ask(confirm))) return { kind: 'cancelled' }
    const outcome = await action.run(context, rows)
    return { kind: 'ok', outcome, refresh: outdatedBy(action.resource, outcome) }
  } catch (thrown) {
    const error = toAppError(thrown)
    return error.code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', error }
  }
}

/** Resources whose lists are out of date after an outcome. A removed record also changes those that named it. */
export function outdatedBy(resource: ResourceName, outcome: Outcome): readonly ResourceName[] {
  if (outcome.kind === 'sent') return [resource, ...(outcome.run === null ? [] : (['run'] as const))]
  if (outcome.kind !== 'done') return []
  const naming = resources.filter((other) => referenceFields(other, resource).length > 0).map(({ name }) => name)
  return outcome.removed?.length ? [...new Set([resource, ...naming])] : [resource]
}
