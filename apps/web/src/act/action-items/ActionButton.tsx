import type { AnyRow } from '@qd/core/define'
import { Button, type ButtonProps, IconButton } from '../../ui/Button.tsx'
import { perform } from '../perform/lazy-perform.ts'
import type { ActionItem } from './action-items.ts'

/**
 * A button for an action on these rows. `isIcon`: on a phone only its icon, named. `data-action` lets tests find the
 * action in the palette (behaviour P-07).
 */
export function ActionButton({
  item: { action, label, reason, caps },
  rows,
  isIcon = false,
  ...variant
}: { item: ActionItem; rows: readonly AnyRow[]; isIcon?: boolean } & Pick<ButtonProps, 'tone' | 'size'>) {
  const props = {
    ...variant,
    icon: action.icon,
    caps,
    reason,
    'data-action': `${action.resource}.${action.name}`,
    onPress: () => void perform(action, rows),
  }
  return isIcon ? <IconButton {...props} label={label} /> : <Button {...props}>{label}</Button>
}
