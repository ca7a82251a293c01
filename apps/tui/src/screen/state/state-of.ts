import { type ActionState, actionState } from '@qd/core/actions'
import type { Action, AnyRow } from '@qd/core/define'
import type { Ui } from './ui.ts'

const changing = ['create', 'edit', 'duplicate', 'delete']

/** True for actions that change something on the server, or open what does. */
function changes(action: Action): boolean {
  const asksOnly = action.scope?.endsWith(':read') ?? false
  return ((action.wire !== null || action.waits) && !asksOnly) || changing.includes(action.name)
}

/** Whether an action is to be seen and why it cannot be used now; read-only is a reason too (behaviour T-26). */
export function stateOf(ui: Ui, action: Action, rows: readonly AnyRow[]): ActionState {
  const state = actionState(action, rows, ui.workspace.surroundings())
  if (state.reason || !ui.workspace.readOnly || !changes(action)) return state
  return { ...state, reason: { key: 'ui.tui.readOnlyReason' } }
}
