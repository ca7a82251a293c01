import { actionState, sayText } from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, type Resource } from '@qd/core/define'
import { actionContext, session } from '../../base/state/stores.ts'
import type { useTexts } from '../../base/state/texts.ts'
import type { MenuEntry } from '../../ui/overlays/menu-props.ts'
import { capsOf } from '../keys/keys.ts'
import { perform } from '../perform/lazy-perform.ts'

export interface ActionItem {
  action: Action
  label: string
  reason: string | null
  caps: readonly string[]
}

export function actionItems(
  resource: Resource,
  rows: readonly AnyRow[],
  say: ReturnType<typeof useTexts>,
): ActionItem[] {
  const surroundings = { ...actionContext(), supports: (capability: string) => session.supports(capability) }
  const all = Object.values(resource.actions)
  const gentleFirst = [...all.filter(({ tone }) => tone !== 'bad'), ...all.filter(({ tone }) => tone === 'bad')]
  return gentleFirst.flatMap((action) => {
    const { shown, reason } = actionState(action, rows, surroundings)
    if (!shown) return []
    const caps = capsOf(`action:${action.resource}.${action.name}`)
    return [{ action, label: say.say(actionKey(action)), reason: reason && sayText(say.translator, reason), caps }]
  })
}

/** A menu entry that runs an action on rows. */
export const menuEntry = ({ action, label, reason, caps }: ActionItem, rows: readonly AnyRow[]): MenuEntry => ({
  id: action.name,
  label,
  icon: action.icon,
  caps,
  reason,
  tone: action.tone === 'bad' ? 'bad' : 'plain',
  run: () => void perform(action, rows),
})
