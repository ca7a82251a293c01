import type { AnyRow } from '@qd/core/define'
import { perform } from '../perform.ts'
import { Button, type ButtonProps } from '../ui/Button.tsx'
import type { Offer } from './ListBar.tsx'

/** An action on these rows as a button. `data-action` names it, so that a test finds every one of them in the palette (behaviour P-07). */
export function ActionButton({
  offer: { action, label, reason, caps },
  rows,
  ...look
}: { offer: Offer; rows: readonly AnyRow[] } & Pick<ButtonProps, 'tone' | 'size'>) {
  return (
    <Button
      {...look}
      icon={action.icon}
      caps={caps}
      reason={reason}
      data-action={`${action.resource}.${action.name}`}
      onPress={() => void perform(action, rows)}
    >
      {label}
    </Button>
  )
}
