import { Icon } from './drawings/Icon.tsx'
import { chip, chips, removable, remove } from './Tags.css.ts'

/** A small named thing: a group, a chosen server, a scope. */
export function Tag({ text, tone = 'plain' }: { text: string; tone?: 'plain' | 'accent' }) {
  return <span className={chip[tone]}>{text}</span>
}

/** A row of chips, each of which can be taken away; `removeLabel` names that, e.g. "Remove web-3". */
export function Tags({
  items,
  onRemove,
  removeLabel,
}: {
  items: readonly { id: number | string; text: string }[]
  onRemove: (id: number | string) => void
  removeLabel: (text: string) => string
}) {
  if (items.length === 0) return null
  return (
    <ul className={chips}>
      {items.map(({ id, text }) => (
        <li key={id} className={removable}>
          {text}
          <button
            type="button"
            className={remove}
            aria-label={removeLabel(text)}
            title={removeLabel(text)}
            onClick={() => onRemove(id)}
          >
            <Icon name="x" size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}
