import { useValue } from '@legendapp/state/react'
import { actionState, sayText } from '@qd/core/actions'
import { actionKey, actionOf, type Field, fieldKey, type Resource } from '@qd/core/define'
import { perform } from '../../act/perform/lazy-perform.ts'
import { records, session } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { RowButton } from '../../ui/RowButton.tsx'
import * as css from './Cell.css.ts'

/** The actions that toggle a flag in a list; null if it is read-only. */
export function switchOf(field: Field | undefined): { on: string; off: string } | null {
  return field?.kind === 'flag' ? (field.switch ?? null) : null
}

/** A toggle in a row. Focus stays on the row, whose actions do the same by key. */
export function SwitchCell({
  resource,
  id,
  field,
  actions,
}: {
  resource: Resource
  id: number
  field: string
  actions: { on: string; off: string }
}) {
  const { say, translator } = useTexts()
  const row = useValue(() => records.row$(resource.name, id).get())
  if (!row) return null
  const isOn = row[field] === true
  const action = actionOf(resource, isOn ? actions.off : actions.on)
  const { shown, reason } = actionState(action, [row], {
    ...surface(),
    supports: (capability) => session.supports(capability),
  })
  const title = reason ? sayText(translator, reason) : say(actionKey(action))
  return (
    <RowButton
      className={css.button}
      role="switch"
      aria-checked={isOn}
      aria-label={`${say(fieldKey(resource, field))} ${String(row[resource.title])}`}
      title={title}
      disabled={!shown}
      onPress={() => void perform(action, [records.peek(resource.name, id)!])}
    >
      <span className={isOn ? css.on : css.off} />
    </RowButton>
  )
}
