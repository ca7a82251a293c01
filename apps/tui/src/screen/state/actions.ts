import { type ActionState, actionState, chordText, type KeyBinding, keyTable } from '@qd/core/actions'
import type { Action, AnyRow } from '@qd/core/define'
import { editInEditor } from '../../base/editor.ts'
import { asciiKey } from '../terminal/ascii.ts'
import type { Ui } from './ui.ts'

const changing = ['create', 'edit', 'duplicate', 'delete']

function changes(action: Action): boolean {
  const asksOnly = action.scope?.endsWith(':read') ?? false
  return ((action.wire !== null || action.waits) && !asksOnly) || changing.includes(action.name)
}

export function stateOf(ui: Ui, action: Action, rows: readonly AnyRow[]): ActionState {
  const state = actionState(action, rows, ui.workspace.surroundings())
  if (state.reason || !ui.workspace.readOnly || !changes(action)) return state
  return { ...state, reason: { key: 'ui.tui.readOnlyReason' } }
}

export function keysHere({ screen, workspace }: Ui): readonly KeyBinding[] {
  return keyTable(screen?.resource ?? null, 'tui', {
    viewer: workspace.session.viewer(),
    files: screen?.files !== undefined,
    obeys: screen?.layer === 'page' && !screen.isList ? Object.keys(screen.commands ?? {}) : null,
    ledHere: screen?.ledHere ?? null,
    acts: screen?.chosen !== undefined,
    search: screen?.searches?.() ?? false,
  })
}

export function keyText({ style }: Pick<Ui, 'style'>, chord: string): string {
  const keys = chordText(chord, 'terminal')
  return (style.ascii ? keys.map(asciiKey) : keys).join(' ')
}

export async function editText(ui: Ui, text: string, name: string): Promise<string | null> {
  return ui.terminal.lend(() => editInEditor(ui.io, text, name))
}
