import { type ActionState, actionState, chordText, type KeyBinding, keyTable } from '@qd/core/actions'
import type { Action, AnyRow, Resource } from '@qd/core/define'
import type { Records } from '@qd/core/store'
import { editInEditor } from '../../base/editor.ts'
import { asciiKey } from '../terminal/ascii.ts'
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

/** Loads the lists that were not asked for yet, so that their records can be found. */
export function loadAll(records: Records, resources: readonly Resource[]): void {
  for (const { name, wire } of resources) {
    if (wire.shape === 'many' && records.list$(name).peek().status === 'empty') void records.load(name)
  }
}

/** Every key that works on the present screen. */
export function keysHere({ screen, workspace }: Ui): readonly KeyBinding[] {
  return keyTable(screen?.resource ?? null, 'tui', {
    viewer: workspace.session.viewer(),
    files: screen?.files !== undefined,
    obeys: screen?.obeys?.() ?? null,
    ledHere: screen?.ledHere ?? null,
    acts: screen?.chosen !== undefined,
    search: screen?.searches?.() ?? false,
  })
}

/** A chord as keys are named on this terminal: `⌃k`, `g s`, `↵`. */
export function keyText({ style }: Pick<Ui, 'style'>, chord: string): string {
  const keys = chordText(chord, 'terminal')
  return (style.ascii ? keys.map(asciiKey) : keys).join(' ')
}

/** Lets the person change a text in their own editor, which gets the whole terminal meanwhile. Returns the new text, null when the editor gave up. Errors: `failed` when it does not start. */
export async function editText(ui: Ui, text: string, name: string): Promise<string | null> {
  try {
    return await ui.terminal.lend(() => editInEditor(ui.io, text, name))
  } finally {
    ui.changed()
  }
}
