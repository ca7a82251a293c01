import type { AnyRow } from '@qd/core/define'
import { Button, type ButtonProps, IconButton } from '../../ui/Button.tsx'
import { perform } from '../perform/lazy-perform.ts'
import type { ActionItem } from './action-items.ts'

/** An action on these rows as a button. `data-action` names it, so that a test finds every one of them in the palette (behaviour P-07). `isIcon`: on a phone its icon alone, named. */
export function ActionButton({
  item: { action, label, reason, caps },
  rows,
  isIcon = false,
  ...look
}: { item: ActionItem; rows: readonly AnyRow[]; isIcon?: boolean } & Pick<ButtonProps, 'tone' | 'size'>) {
  const props = {
    ...look,
    icon: action.icon,
    caps,
    reason,
    'data-action': `${action.resource}.${action.name}`,
    onPress: () => void perform(action, rows),
  }
  return isIcon ? <IconButton {...props} label={label} /> : <Button {...props}>{label}</Button>
}
