import { Icon } from './drawings/Icon.tsx'
import { chip, removable, remove } from './Tags.css.ts'

/** A small named thing: a group, a chosen server, a scope. */
export function Tag({ text, tone = 'plain' }: { text: string; tone?: 'plain' | 'accent' }) {
  return <span className={chip[tone]}>{text}</span>
}

/** One that can be taken away; `label` names that, e.g. "Remove web-3". `isInInput`: Backspace does the same, and Tab passes it by. */
export function RemovableTag({
  text,
  label,
  isInInput = false,
  onRemove,
}: {
  text: string
  label: string
  isInInput?: boolean
  onRemove: () => void
}) {
  return (
    <span className={removable}>
      {text}
      <button
        type="button"
        className={remove}
        tabIndex={isInInput ? -1 : undefined}
        aria-label={label}
        title={label}
        onClick={onRemove}
      >
        <Icon name="x" size={12} />
      </button>
    </span>
  )
}
