import { Icon } from './drawings/Icon.tsx'
import { chip, removable, remove } from './Tags.css.ts'

export function Tag({ text, tone = 'plain' }: { text: string; tone?: 'plain' | 'accent' }) {
  return <span className={chip[tone]}>{text}</span>
}

/** `label` names the remove button, e.g. "Remove web-3". `isInInput`: Backspace does the same, so it is no tab stop. */
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
